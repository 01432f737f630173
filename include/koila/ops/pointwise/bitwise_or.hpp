// SPDX-License-Identifier: MIT
#pragma once
// bitwise_or: a | b.
#include <koila/ops/pointwise/comparison.hpp>

namespace koila::inline v0 {

/// (...) x (...) -> (...), broadcast: a | b. Integers and booleans only.
inline constexpr struct bitwise_or : author::bitwise<bitwise_or> {
  static constexpr std::string_view name = "bitwise_or";
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b);
} bitwise_or;

}  // namespace koila::inline v0
