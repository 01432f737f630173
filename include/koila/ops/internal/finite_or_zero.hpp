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
