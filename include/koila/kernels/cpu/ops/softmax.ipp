// SPDX-License-Identifier: MIT
#pragma once
// softmax on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/softmax.ipp>
#include <koila/ops/reduction/softmax.hpp>

#include <ATen/ops/_softmax_ops.h>

namespace koila::inline v0::kernels::cpu {

struct softmax {
  using attributes = koila::softmax::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
    if (detail::along_rows(y, a.dim.value)) return detail::softmax_rows<detail::softmax_kernel>(y, x);
    detail::by_operator_along(
        y, a.dim.value,
        [](const at::Tensor& from, index_t dim, at::Tensor& to) { at::_ops::_softmax_out::call(from, dim, false, to); },
        x);
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::softmax, softmax> softmax_registered;

}  // namespace koila::inline v0::kernels::cpu
