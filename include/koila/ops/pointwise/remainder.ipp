// SPDX-License-Identifier: MIT
#pragma once
// Definitions of remainder.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/remainder.hpp>

#include <ATen/ops/remainder_ops.h>

namespace koila::inline v0 {

void ops::remainder::evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) {
  at::_ops::remainder_Tensor_out::call(a, b, y);
}

}  // namespace koila::inline v0
