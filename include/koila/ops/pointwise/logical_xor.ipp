// SPDX-License-Identifier: MIT
#pragma once
// Definitions of logical_xor.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/logical_xor.hpp>

#include <ATen/ops/logical_xor_ops.h>

namespace koila::inline v0 {

void logical_xor::evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) {
  at::_ops::logical_xor_out::call(a, b, y);
}

}  // namespace koila::inline v0
