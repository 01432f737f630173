// SPDX-License-Identifier: MIT
#pragma once
// log_softmax_backward on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/softmax.ipp>
#include <koila/ops/internal/log_softmax_backward.hpp>

#include <ATen/ops/_log_softmax_backward_data_ops.h>

namespace koila::inline v0::kernels::cpu {

struct log_softmax_backward {
  using attributes = koila::internal::log_softmax_backward::attributes;
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& y, const attributes& a) {
    if (detail::along_rows(dx, a.dim.value))
      return detail::softmax_rows<detail::log_softmax_backward_kernel>(dx, dy, y);
    detail::by_operator_along(
        dx, a.dim.value,
        [](const at::Tensor& d, const at::Tensor& from, index_t dim, at::Tensor& to) {
          at::_ops::_log_softmax_backward_data_out::call(d, from, dim, from.scalar_type(), to);
        },
        dy, y);
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::internal::log_softmax_backward,
                                                                  log_softmax_backward> log_softmax_backward_registered;

}  // namespace koila::inline v0::kernels::cpu
