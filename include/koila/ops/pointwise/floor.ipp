// SPDX-License-Identifier: MIT
#pragma once
// Definitions of floor.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/floor.hpp>

#include <ATen/ops/floor_ops.h>

namespace koila::inline v0 {

void ops::floor::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::floor_out::call(x, y); }

}  // namespace koila::inline v0
