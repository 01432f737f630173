// SPDX-License-Identifier: MIT
#pragma once
// Definitions of atan2.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/atan2.hpp>

#include <ATen/ops/atan2_ops.h>

namespace koila::inline v0 {

void ops::atan2::evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) {
  at::_ops::atan2_out::call(a, b, y);
}

}  // namespace koila::inline v0
