// SPDX-License-Identifier: MIT
#pragma once
// pad_backward on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/index_remap.ipp>
#include <koila/ops/internal/pad_backward.hpp>

namespace koila::kernels::cpu {

struct pad_backward {
  using attributes = koila::pad_backward::attributes;
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor&, const attributes& a) {
    dx.zero_();
    const int rank = static_cast<int>(dx.dim());
    detail::for_dtype(dx.scalar_type(), [&](auto zero) {
      using T = decltype(zero);
      T* const to = dx.mutable_data_ptr<T>();
      const T* const from = detail::data<T>(dy);
      detail::for_each_remapped(
          dy, dx, [&](int d, auto i, auto n) { return a.source(d, rank, i, n); },
          [&](auto i, auto at) {
            if (at >= 0) to[at] = static_cast<T>(to[at] + from[i]);
          });
    });
  }
};
[[gnu::init_priority(
    registered_first)]] inline const host_kernel<struct koila::pad_backward, pad_backward> pad_backward_registered;

}  // namespace koila::kernels::cpu
