// SPDX-License-Identifier: MIT
#pragma once
// ne: a != b.
#include <koila/ops/pointwise/comparison.hpp>

namespace koila::inline v0 {

/// (...) x (...) -> bool (...), broadcast: a != b.
inline constexpr struct ne : author::comparison<ne> {
  static constexpr std::string_view name = "ne";
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b);
} ne;

}  // namespace koila::inline v0
