// SPDX-License-Identifier: MIT
#pragma once
// Definitions of ge.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/ge.hpp>

#include <ATen/ops/ge_ops.h>

namespace koila::inline v0 {

void ge::evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) { at::_ops::ge_Tensor_out::call(a, b, y); }

}  // namespace koila::inline v0
