// SPDX-License-Identifier: MIT
#pragma once
// Definitions of asinh.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/asinh.hpp>

#include <ATen/ops/asinh_ops.h>

namespace koila::inline v0 {

void ops::asinh::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::asinh_out::call(x, y); }

}  // namespace koila::inline v0
