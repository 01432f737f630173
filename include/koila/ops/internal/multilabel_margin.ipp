// SPDX-License-Identifier: MIT
#pragma once
// Definitions of multilabel_margin.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/internal/multilabel_margin.hpp>

#include <ATen/ops/empty_like_ops.h>
#include <ATen/ops/multilabel_margin_loss_forward_ops.h>

namespace koila::inline v0::internal {

void multilabel_margin::evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& target) {
  if (x.numel() == 0) return;
  constexpr std::int64_t no_reduction = 0;  // at::Reduction::None
  at::Tensor mask = at::_ops::empty_like::call(x, std::nullopt, std::nullopt, std::nullopt, std::nullopt, std::nullopt);
  at::_ops::multilabel_margin_loss_forward_output::call(x, target, no_reduction, y, mask);
}

}  // namespace koila::inline v0::internal
