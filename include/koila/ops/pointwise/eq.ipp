// SPDX-License-Identifier: MIT
#pragma once
// Definitions of eq.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/eq.hpp>

#include <ATen/ops/eq_ops.h>

namespace koila::inline v0 {

void eq::evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) { at::_ops::eq_Tensor_out::call(a, b, y); }

}  // namespace koila::inline v0
