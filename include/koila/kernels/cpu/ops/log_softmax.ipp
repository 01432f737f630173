// SPDX-License-Identifier: MIT
#pragma once
// log_softmax on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/softmax.ipp>
#include <koila/ops/reduction/log_softmax.hpp>

#include <ATen/ops/_log_softmax_ops.h>

namespace koila::inline v0::kernels::cpu {

struct log_softmax {
  using attributes = koila::log_softmax::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
    if (detail::along_rows(y, a.dim.value)) return detail::softmax_rows<detail::log_softmax_kernel>(y, x);
    detail::by_operator_along(
        y, a.dim.value,
        [](const at::Tensor& from, index_t dim, at::Tensor& to) {
          at::_ops::_log_softmax_out::call(from, dim, false, to);
        },
        x);
  }
};
[[gnu::init_priority(
    registered_first)]] inline const host_kernel<struct koila::log_softmax, log_softmax> log_softmax_registered;

}  // namespace koila::inline v0::kernels::cpu
