// SPDX-License-Identifier: MIT
#pragma once
// logical_and: whether both operands are nonzero.
#include <koila/ops/pointwise/comparison.hpp>

namespace koila::inline v0 {

/// (...) x (...) -> bool (...), broadcast: whether both operands are nonzero.
inline constexpr struct logical_and : author::comparison<logical_and> {
  static constexpr std::string_view name = "logical_and";
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b);
} logical_and;

}  // namespace koila::inline v0
