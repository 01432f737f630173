// SPDX-License-Identifier: MIT
#pragma once
// logical_or: whether at least one operand is nonzero.
#include <koila/ops/pointwise/comparison.hpp>

namespace koila::inline v0 {

/// (...) x (...) -> bool (...), broadcast: whether at least one operand is nonzero.
inline constexpr struct logical_or : author::comparison<logical_or> {
  static constexpr std::string_view name = "logical_or";
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b);
} logical_or;

}  // namespace koila::inline v0
