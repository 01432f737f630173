// SPDX-License-Identifier: MIT
#pragma once
// finite_or_zero: the shift that a log-sum-exp subtracts from its operand.
#include <koila/ops/pointwise/elementwise.hpp>

namespace koila::inline v0::internal {

/// (...) -> (...): x, with infinity replaced by the largest finite number and minus infinity by
/// 0. If the shift is the largest finite number, the exponentials of all smaller elements are 0.
/// The op has no gradient, because a log-sum-exp subtracts the shift and adds the shift again,
/// and so does not depend on the shift.
inline constexpr struct finite_or_zero : unary<finite_or_zero> {
  static constexpr std::string_view name = "finite_or_zero";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  static constexpr auto gradient(const auto&, const auto&, const auto&) { return gradients(no_gradient); }
} finite_or_zero;

}  // namespace koila::inline v0::internal

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/common/definitions.hpp>

#include <ATen/ops/nan_to_num_ops.h>

#include <limits>

namespace koila::inline v0::internal {

inline void finite_or_zero::evaluate(at::Tensor& y, const at::Tensor& x) {
  at::_ops::nan_to_num_out::call(x, std::numeric_limits<double>::quiet_NaN(), std::nullopt, 0.0, y);
}

}  // namespace koila::inline v0::internal
#endif
