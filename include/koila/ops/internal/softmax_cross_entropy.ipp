// SPDX-License-Identifier: MIT
#pragma once
// Definitions of softmax_cross_entropy.hpp.
#include <koila/ops/common/label_operators.ipp>
#include <koila/ops/internal/softmax_cross_entropy.hpp>

#include <ATen/ops/_log_softmax_ops.h>

namespace koila::inline v0::internal {

void softmax_cross_entropy::evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& label, const attributes& a) {
  const detail::counted_labels by(label, a);
  const at::Tensor logs = at::_ops::_log_softmax::call(x, -1, false);
  y.copy_(logs.gather(-1, by.label.unsqueeze(-1)).squeeze(-1)).neg_().masked_fill_(by.ignored, 0);
}

void softmax_cross_entropy::evaluate_both(at::Tensor& y, at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x,
                                          const at::Tensor& label, const attributes& a) {
  evaluate(y, x, label, a);
  pull_back::evaluate(dx, dy, x, label, a);
}

}  // namespace koila::inline v0::internal
