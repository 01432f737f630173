// SPDX-License-Identifier: MIT
#pragma once
// Definitions of ne.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/ne.hpp>

#include <ATen/ops/ne_ops.h>

namespace koila::inline v0 {

void ne::evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) { at::_ops::ne_Tensor_out::call(a, b, y); }

}  // namespace koila::inline v0
