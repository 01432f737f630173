// SPDX-License-Identifier: MIT
#pragma once
// Definitions of ceil.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/ceil.hpp>

#include <ATen/ops/ceil_ops.h>

namespace koila::inline v0 {

void ops::ceil::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::ceil_out::call(x, y); }

}  // namespace koila::inline v0
