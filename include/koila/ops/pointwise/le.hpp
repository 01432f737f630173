// SPDX-License-Identifier: MIT
#pragma once
// le: a <= b.
#include <koila/ops/pointwise/comparison.hpp>

namespace koila::inline v0 {

/// (...) x (...) -> bool (...), broadcast: a <= b.
inline constexpr struct le : author::comparison<le> {
  static constexpr std::string_view name = "le";
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b);
} le;

}  // namespace koila::inline v0
