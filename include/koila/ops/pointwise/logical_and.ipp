// SPDX-License-Identifier: MIT
#pragma once
// Definitions of logical_and.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/logical_and.hpp>

#include <ATen/ops/logical_and_ops.h>

namespace koila::inline v0 {

void logical_and::evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) {
  at::_ops::logical_and_out::call(a, b, y);
}

}  // namespace koila::inline v0
