// SPDX-License-Identifier: MIT
#pragma once
// Definitions of finite_or_zero.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/internal/finite_or_zero.hpp>

#include <ATen/ops/nan_to_num_ops.h>

#include <limits>

namespace koila::inline v0::internal {

void finite_or_zero::evaluate(at::Tensor& y, const at::Tensor& x) {
  at::_ops::nan_to_num_out::call(x, std::numeric_limits<double>::quiet_NaN(), std::nullopt, 0.0, y);
}

}  // namespace koila::inline v0::internal
