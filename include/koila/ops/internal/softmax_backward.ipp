// SPDX-License-Identifier: MIT
#pragma once
// Definitions of softmax_backward.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/internal/softmax_backward.hpp>

#include <ATen/ops/_softmax_backward_data_ops.h>

namespace koila::inline v0::internal {

void softmax_backward::evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& y, const attributes& a) {
  at::_ops::_softmax_backward_data_out::call(dy, y, a.dim.value, y.scalar_type(), dx);
}

}  // namespace koila::inline v0::internal
