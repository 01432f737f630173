// SPDX-License-Identifier: MIT
#pragma once
// upsample_backward on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/interpolation.ipp>
#include <koila/ops/internal/upsample_backward.hpp>

namespace koila::kernels::cpu {

struct upsample_backward {
  using attributes = koila::upsample_backward::attributes;
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor&, const attributes& a) {
    dx.zero_();
    detail::with_floating_type(dx.scalar_type(), [&](auto zero) {
      using T = decltype(zero);
      using A = detail::wide<T>;
      T* to = dx.mutable_data_ptr<T>();
      const T* from = detail::data<T>(dy);
      detail::for_each_tap<A>(dx, dy, a.interpolation, [&](index_t i, index_t o, A weight) {
        to[i] = static_cast<T>(static_cast<A>(to[i]) + static_cast<A>(from[o]) * weight);
      });
    });
  }
};
inline const host_kernel<struct koila::upsample_backward, upsample_backward> upsample_backward_registered;

}  // namespace koila::kernels::cpu
