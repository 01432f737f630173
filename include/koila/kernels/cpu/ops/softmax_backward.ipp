// SPDX-License-Identifier: MIT
#pragma once
// softmax_backward on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/softmax.ipp>
#include <koila/ops/internal/softmax_backward.hpp>

#include <ATen/ops/_softmax_backward_data_ops.h>

namespace koila::inline v0::kernels::cpu {

struct softmax_backward {
  using attributes = koila::internal::softmax_backward::attributes;
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& y, const attributes& a) {
    // LibTorch's kernel is faster for short rows that consist of whole vectors.
    const bool short_vectors = dx.dim() > 0 && dx.size(-1) <= 128 && dx.size(-1) % 16 == 0;
    if (!short_vectors && detail::along_rows(dx, a.dim.value))
      return detail::softmax_rows<detail::softmax_backward_kernel>(dx, dy, y);
    detail::by_operator_along(
        dx, a.dim.value,
        [](const at::Tensor& d, const at::Tensor& from, index_t dim, at::Tensor& to) {
          at::_ops::_softmax_backward_data_out::call(d, from, dim, from.scalar_type(), to);
        },
        dy, y);
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::internal::softmax_backward,
                                                                  softmax_backward> softmax_backward_registered;

}  // namespace koila::inline v0::kernels::cpu
