// SPDX-License-Identifier: MIT
#pragma once
// logical_xor: whether exactly one operand is nonzero.
#include <koila/ops/pointwise/comparison.hpp>

namespace koila::inline v0 {

/// (...) x (...) -> bool (...), broadcast: whether exactly one operand is nonzero.
inline constexpr struct logical_xor : author::comparison<logical_xor> {
  static constexpr std::string_view name = "logical_xor";
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b);
} logical_xor;

}  // namespace koila::inline v0
