// SPDX-License-Identifier: MIT
#pragma once
// bitwise_xor: a ^ b.
#include <koila/ops/pointwise/comparison.hpp>

namespace koila::inline v0 {

/// (...) x (...) -> (...), broadcast: a ^ b. Integers and booleans only.
inline constexpr struct bitwise_xor : author::bitwise<bitwise_xor> {
  static constexpr std::string_view name = "bitwise_xor";
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b);
} bitwise_xor;

}  // namespace koila::inline v0
