// SPDX-License-Identifier: MIT
#pragma once
// upsample_backward on the host.
#include <koila/kernels/cpu/as_float32.ipp>
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/interpolation.ipp>
#include <koila/ops/internal/upsample_backward.hpp>

namespace koila::inline v0::kernels::cpu {

struct upsample_backward {
  using attributes = koila::internal::upsample_backward::attributes;
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor&, const attributes& a) {
    detail::as_float32 sums(dx, false);
    (*sums).zero_();
    detail::with_floating_type(dx.scalar_type(), [&](auto zero) {
      using T = decltype(zero);
      using S = at::opmath_type<T>;
      S* const to = (*sums).mutable_data_ptr<S>();
      const T* const from = detail::data<T>(dy);
      detail::for_each_tap<S>(dx, dy, a.interpolation,
                              [&](index_t i, index_t o, S weight) { to[i] += static_cast<S>(from[o]) * weight; });
    });
    sums.round();
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::internal::upsample_backward,
                                                                  upsample_backward> upsample_backward_registered;

}  // namespace koila::inline v0::kernels::cpu
