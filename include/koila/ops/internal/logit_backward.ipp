// SPDX-License-Identifier: MIT
#pragma once
// Definitions of logit_backward.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/internal/logit_backward.hpp>

#include <ATen/ops/logit_backward_ops.h>

namespace koila::inline v0::internal {

void logit_backward::evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const attributes& a) {
  at::_ops::logit_backward_grad_input::call(dy, x, a.given(), dx);
}

}  // namespace koila::inline v0::internal
