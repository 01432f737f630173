// SPDX-License-Identifier: MIT
#pragma once
// Definitions of le.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/le.hpp>

#include <ATen/ops/le_ops.h>

namespace koila::inline v0 {

void le::evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) { at::_ops::le_Tensor_out::call(a, b, y); }

}  // namespace koila::inline v0
