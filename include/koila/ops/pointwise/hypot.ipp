// SPDX-License-Identifier: MIT
#pragma once
// Definitions of hypot.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/hypot.hpp>

#include <ATen/ops/hypot_ops.h>

namespace koila::inline v0 {

void ops::hypot::evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) {
  at::_ops::hypot_out::call(a, b, y);
}

}  // namespace koila::inline v0
