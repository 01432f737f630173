// SPDX-License-Identifier: MIT
#pragma once
// Definitions of logical_not.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/logical_not.hpp>

#include <ATen/ops/logical_not_ops.h>

namespace koila::inline v0 {

void logical_not::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::logical_not_out::call(x, y); }

}  // namespace koila::inline v0
