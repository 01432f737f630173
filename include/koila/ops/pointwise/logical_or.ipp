// SPDX-License-Identifier: MIT
#pragma once
// Definitions of logical_or.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/logical_or.hpp>

#include <ATen/ops/logical_or_ops.h>

namespace koila::inline v0 {

void logical_or::evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) {
  at::_ops::logical_or_out::call(a, b, y);
}

}  // namespace koila::inline v0
