// SPDX-License-Identifier: MIT
#pragma once
// native_layer_norm_parameters_backward on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/layer_norm.ipp>
#include <koila/ops/internal/native_layer_norm_parameters_backward.hpp>

namespace koila::inline v0::kernels::cpu {

struct native_layer_norm_parameters_backward {
  using attributes = koila::internal::native_layer_norm_parameters_backward::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& dy, const at::Tensor& x, const at::Tensor&,
                       const attributes& a) {
    const at::Tensor of_y = y.select(0, 0), of_dy = y.select(0, 1);  // (shape...)
    detail::with_floating_type(x.scalar_type(), [&]<class T>(T) {
      const auto rows = detail::rows_of<T>(x, of_y, a.eps.value);
      const index_t parts = rules::parts_of_rows(rows.rows);
      const detail::scratch<double> sums(parts * 2 * rows.n);
      detail::sum_normalised_rows(rows, detail::data<T>(dy), parts, sums.data(), static_cast<T*>(y.mutable_data_ptr()));
    });
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<
    struct koila::internal::native_layer_norm_parameters_backward, native_layer_norm_parameters_backward>
    native_layer_norm_parameters_backward_registered;

}  // namespace koila::inline v0::kernels::cpu
