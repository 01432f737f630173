// SPDX-License-Identifier: MIT
#pragma once
// gather_backward on the host.
#include <koila/kernels/cpu/as_float32.ipp>
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/indexing.ipp>
#include <koila/ops/internal/gather_backward.hpp>

namespace koila::inline v0::kernels::cpu {

struct gather_backward {
  using attributes = koila::internal::gather_backward::attributes;
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const at::Tensor& index,
                       const attributes& a) {
    dx.zero_();
    accumulate(dx, dy, x, index, a);
  }
  static void accumulate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor&, const at::Tensor& index,
                         const attributes& a) {
    detail::as_float32 sums(dx);
    detail::for_dtype(dx.scalar_type(), [&](auto zero) {
      using T = decltype(zero);
      using S = at::opmath_type<T>;
      S* const to = (*sums).mutable_data_ptr<S>();
      const T* const from = detail::data<T>(dy);
      detail::for_each_gathered(dx, a.dim.value, index, [&](auto position, auto i) {
        to[position] = static_cast<S>(to[position] + static_cast<S>(from[i]));
      });
    });
    sums.round();
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::internal::gather_backward,
                                                                  gather_backward> gather_backward_registered;

}  // namespace koila::inline v0::kernels::cpu
