// SPDX-License-Identifier: MIT
#pragma once
// ge: a >= b.
#include <koila/ops/pointwise/comparison.hpp>

namespace koila::inline v0 {

/// (...) x (...) -> bool (...), broadcast: a >= b.
inline constexpr struct ge : author::comparison<ge> {
  static constexpr std::string_view name = "ge";
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b);
} ge;

}  // namespace koila::inline v0
