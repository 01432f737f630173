// SPDX-License-Identifier: MIT
#pragma once
// native_layer_norm on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/layer_norm.ipp>
#include <koila/ops/internal/native_layer_norm.hpp>

namespace koila::inline v0 {

namespace internal {

inline auto native_layer_norm::elements() -> detail::all_elements {
  return {&detail::normalise_tile<float>, &detail::normalise_tile<double>};
}

}  // namespace internal

namespace kernels::cpu {

struct native_layer_norm {
  using attributes = koila::internal::native_layer_norm::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& w, const at::Tensor& b,
                       const attributes& a) {
    detail::with_floating_type(x.scalar_type(), [&]<class T>(T) {
      detail::normalise_rows(detail::rows_of<T>(x, w, a.eps.value), detail::data<T>(w), detail::data<T>(b),
                             static_cast<T*>(y.mutable_data_ptr()));
    });
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::internal::native_layer_norm,
                                                                  native_layer_norm> native_layer_norm_registered;

}  // namespace kernels::cpu

}  // namespace koila::inline v0
