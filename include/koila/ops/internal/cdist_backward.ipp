// SPDX-License-Identifier: MIT
#pragma once
// Definitions of cdist_backward.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/internal/cdist_backward.hpp>

#include <ATen/ops/_cdist_backward_ops.h>

namespace koila::inline v0::internal {

void cdist_backward::evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x1, const at::Tensor& x2,
                              const at::Tensor& y, const attributes& a) {
  if (dy.numel() == 0) dx.zero_();
  else dx.copy_(at::_ops::_cdist_backward::call(dy, x1, x2, a.p.value, y));
}

}  // namespace koila::inline v0::internal
