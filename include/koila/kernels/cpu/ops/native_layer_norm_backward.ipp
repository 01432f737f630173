// SPDX-License-Identifier: MIT
#pragma once
// native_layer_norm_backward on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/layer_norm.ipp>
#include <koila/ops/internal/native_layer_norm_backward.hpp>

namespace koila::inline v0::kernels::cpu {

struct native_layer_norm_backward {
  using attributes = koila::internal::native_layer_norm_backward::attributes;
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const at::Tensor& w,
                       const attributes& a) {
    detail::with_floating_type(x.scalar_type(), [&]<class T>(T) {
      detail::normalise_rows_backward(detail::rows_of<T>(x, w, a.eps.value), detail::data<T>(dy), detail::data<T>(w),
                                      static_cast<T*>(dx.mutable_data_ptr()));
    });
  }
};
[[gnu::init_priority(
    registered_first)]] inline const host_kernel<struct koila::internal::native_layer_norm_backward,
                                                 native_layer_norm_backward> native_layer_norm_backward_registered;

}  // namespace koila::inline v0::kernels::cpu
