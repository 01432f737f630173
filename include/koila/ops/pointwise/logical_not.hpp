// SPDX-License-Identifier: MIT
#pragma once
// logical_not: whether x is 0.
#include <koila/ops/pointwise/elementwise.hpp>

namespace koila::inline v0 {

/// (...) -> bool (...): whether x is 0 or false.
inline constexpr struct logical_not : author::unary_predicate<logical_not> {
  static constexpr std::string_view name = "logical_not";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
} logical_not;

}  // namespace koila::inline v0
