// SPDX-License-Identifier: MIT
#pragma once
// Definitions of bitwise_not.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/bitwise_not.hpp>

#include <ATen/ops/bitwise_not_ops.h>

namespace koila::inline v0 {

void bitwise_not::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::bitwise_not_out::call(x, y); }

}  // namespace koila::inline v0
