// SPDX-License-Identifier: MIT
#pragma once
// Definitions of multilabel_margin_backward.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/internal/multilabel_margin_backward.hpp>

#include <ATen/ops/multilabel_margin_loss_backward_ops.h>
#include <ATen/ops/multilabel_margin_loss_forward_ops.h>

namespace koila::inline v0::internal {

void multilabel_margin_backward::evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x,
                                          const at::Tensor& target) {
  if (x.numel() == 0) return;
  constexpr std::int64_t no_reduction = 0;  // at::Reduction::None
  // The forward operator computes the mask of the target's classes.
  const auto [loss, mask] = at::_ops::multilabel_margin_loss_forward::call(x, target, no_reduction);
  at::_ops::multilabel_margin_loss_backward_grad_input::call(dy, x, target, no_reduction, mask, dx);
}

}  // namespace koila::inline v0::internal
