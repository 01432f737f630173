// SPDX-License-Identifier: MIT
#pragma once
// Definitions of softmax_cross_entropy_backward.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/internal/softmax_cross_entropy_backward.hpp>

#include <ATen/ops/_softmax_ops.h>

namespace koila::inline v0::internal {

void softmax_cross_entropy_backward::evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x,
                                              const at::Tensor& label, const attributes& a) {
  const detail::counted_labels by(label, a);
  at::_ops::_softmax_out::call(x, -1, false, dx);
  dx.scatter_add_(-1, by.label.unsqueeze(-1), dy.new_full(dy.sizes(), -1).unsqueeze(-1));
  dx.mul_(dy.unsqueeze(-1)).masked_fill_(by.ignored.unsqueeze(-1), 0);
}

}  // namespace koila::inline v0::internal
