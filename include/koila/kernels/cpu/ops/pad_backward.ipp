// SPDX-License-Identifier: MIT
#pragma once
// pad_backward on the host.
#include <koila/kernels/cpu/as_float32.ipp>
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/index_remap.ipp>
#include <koila/ops/internal/pad_backward.hpp>

namespace koila::inline v0::kernels::cpu {

struct pad_backward {
  using attributes = koila::internal::pad_backward::attributes;
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor&, const attributes& a) {
    const int rank = static_cast<int>(dx.dim());
    detail::as_float32 sums(dx, false);
    (*sums).zero_();
    detail::for_dtype(dx.scalar_type(), [&](auto zero) {
      using T = decltype(zero);
      using S = at::opmath_type<T>;
      S* const to = (*sums).mutable_data_ptr<S>();
      const T* const from = detail::data<T>(dy);
      detail::for_each_remapped(
          dy, dx, [&](int d, auto i, auto n) { return a.source(d, rank, i, n); },
          [&](auto i, auto position) {
            if (position >= 0) to[position] = static_cast<S>(to[position] + static_cast<S>(from[i]));
          });
    });
    sums.round();
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::internal::pad_backward, pad_backward>
    pad_backward_registered;

}  // namespace koila::inline v0::kernels::cpu
