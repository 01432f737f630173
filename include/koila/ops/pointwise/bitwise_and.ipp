// SPDX-License-Identifier: MIT
#pragma once
// Definitions of bitwise_and.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/bitwise_and.hpp>

#include <ATen/ops/bitwise_and_ops.h>

namespace koila::inline v0 {

void bitwise_and::evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) {
  at::_ops::bitwise_and_Tensor_out::call(a, b, y);
}

}  // namespace koila::inline v0
