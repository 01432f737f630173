// SPDX-License-Identifier: MIT
#pragma once
// Definitions of bitwise_or.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/bitwise_or.hpp>

#include <ATen/ops/bitwise_or_ops.h>

namespace koila::inline v0 {

void bitwise_or::evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) {
  at::_ops::bitwise_or_Tensor_out::call(a, b, y);
}

}  // namespace koila::inline v0
