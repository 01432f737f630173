// SPDX-License-Identifier: MIT
#pragma once
// lt: a < b.
#include <koila/ops/pointwise/comparison.hpp>

namespace koila::inline v0 {

/// (...) x (...) -> bool (...), broadcast: a < b.
inline constexpr struct lt : author::comparison<lt> {
  static constexpr std::string_view name = "lt";
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b);
} lt;

}  // namespace koila::inline v0
