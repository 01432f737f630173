// SPDX-License-Identifier: MIT
#pragma once
// Targets and a formula shared by the tests of the ops of multilabel_margin_loss.
#include "check.hpp"

namespace koila::test {

/// Returns random class indices (..., classes). Some of them are -1, which ends a target, and some
/// of them are equal.
inline auto some_classes(at::IntArrayRef sizes) -> at::Tensor {
  return labels(c10::multiply_integers(sizes), sizes.back() + 1).view(sizes) - 1;
}

/// The loss of each sample, by operators that autograd differentiates twice. LibTorch's operator
/// has no second derivative.
inline auto multilabel_margin_by_formula(const at::Tensor& x, const at::Tensor& target) -> at::Tensor {
  const at::Tensor valid = target.ge(0).cumprod(-1).to(at::kBool),  // before the first -1
      index = target.masked_fill(valid.logical_not(), 0);
  const at::Tensor of_target = at::zeros_like(target).scatter_add(-1, index, valid.to(at::kLong)).gt(0);
  const at::Tensor excess = 1 - x.gather(-1, index).unsqueeze(-1) + x.unsqueeze(-2);
  const at::Tensor counts =
      excess.gt(0).logical_and(valid.unsqueeze(-1)).logical_and(of_target.unsqueeze(-2).logical_not());
  return at::where(counts, excess, 0).sum({-2, -1}) / x.size(-1);
}

}  // namespace koila::test
