// SPDX-License-Identifier: MIT
#pragma once
// Definitions of gt.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/gt.hpp>

#include <ATen/ops/gt_ops.h>

namespace koila::inline v0 {

void gt::evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) { at::_ops::gt_Tensor_out::call(a, b, y); }

}  // namespace koila::inline v0
