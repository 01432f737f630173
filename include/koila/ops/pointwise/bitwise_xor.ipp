// SPDX-License-Identifier: MIT
#pragma once
// Definitions of bitwise_xor.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/bitwise_xor.hpp>

#include <ATen/ops/bitwise_xor_ops.h>

namespace koila::inline v0 {

void bitwise_xor::evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) {
  at::_ops::bitwise_xor_Tensor_out::call(a, b, y);
}

}  // namespace koila::inline v0
