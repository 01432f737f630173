// SPDX-License-Identifier: MIT
#pragma once
// causal_fill on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/ops/common/floating.ipp>
#include <koila/ops/internal/causal_fill.hpp>

#include <algorithm>

namespace koila::inline v0::kernels::cpu {

struct causal_fill {
  using attributes = koila::internal::causal_fill::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
    const std::int64_t l = x.size(-2), s = x.size(-1), matrices = x.numel() == 0 ? 0 : x.numel() / (l * s);
    detail::with_floating_type(y, [&](auto zero) {
      using T = decltype(zero);
      const T otherwise = detail::rounded<T>(a.otherwise.value);
      T* to = y.mutable_data_ptr<T>();
      const T* from = detail::data<T>(x);
      for (std::int64_t row = 0; row < matrices * l; ++row, to += s, from += s) {
        const std::int64_t kept = std::min(row % l + 1, s);
        std::copy_n(from, kept, to);
        std::fill(to + kept, to + s, otherwise);
      }
    });
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::internal::causal_fill, causal_fill>
    causal_fill_registered;

}  // namespace koila::inline v0::kernels::cpu
