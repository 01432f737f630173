// SPDX-License-Identifier: MIT
#pragma once
// Definitions of sin.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/sin.hpp>

#include <ATen/ops/sin_ops.h>

namespace koila::inline v0 {

void ops::sin::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::sin_out::call(x, y); }

}  // namespace koila::inline v0
