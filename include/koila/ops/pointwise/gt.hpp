// SPDX-License-Identifier: MIT
#pragma once
// gt: a > b.
#include <koila/ops/pointwise/comparison.hpp>

namespace koila::inline v0 {

/// (...) x (...) -> bool (...), broadcast: a > b.
inline constexpr struct gt : author::comparison<gt> {
  static constexpr std::string_view name = "gt";
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b);
} gt;

}  // namespace koila::inline v0
