// SPDX-License-Identifier: MIT
#pragma once
// Definitions of power.hpp.
#include <koila/ops/common/power_operators.ipp>
#include <koila/ops/internal/power.hpp>

#include <ATen/ops/nan_to_num_ops.h>

#include <limits>

namespace koila::inline v0 {

namespace detail {

/// If the exponent is negative, replaces infinities, which are powers of 0, by 0.
inline void infinity_to_zero(at::Tensor& y, double exponent) {
  if (exponent < 0) at::_ops::nan_to_num_out::call(y, std::numeric_limits<double>::quiet_NaN(), 0.0, 0.0, y);
}

}  // namespace detail

namespace internal {

void power::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  detail::power_by_operator(y, x, at::Scalar(a.exponent.value));
  detail::infinity_to_zero(y, a.exponent.value);
}

}  // namespace internal

}  // namespace koila::inline v0
