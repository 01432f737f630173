// SPDX-License-Identifier: MIT
#pragma once
// Definitions of lt.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/lt.hpp>

#include <ATen/ops/lt_ops.h>

namespace koila::inline v0 {

void lt::evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) { at::_ops::lt_Tensor_out::call(a, b, y); }

}  // namespace koila::inline v0
