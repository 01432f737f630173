// SPDX-License-Identifier: MIT
#pragma once
// bitwise_and: a & b.
#include <koila/ops/pointwise/comparison.hpp>

namespace koila::inline v0 {

/// (...) x (...) -> (...), broadcast: a & b. Integers and booleans only.
inline constexpr struct bitwise_and : author::bitwise<bitwise_and> {
  static constexpr std::string_view name = "bitwise_and";
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b);
} bitwise_and;

}  // namespace koila::inline v0
