// SPDX-License-Identifier: MIT
#pragma once
// eq: a == b.
#include <koila/ops/pointwise/comparison.hpp>

namespace koila::inline v0 {

/// (...) x (...) -> bool (...), broadcast: a == b.
inline constexpr struct eq : author::comparison<eq> {
  static constexpr std::string_view name = "eq";
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b);
} eq;

}  // namespace koila::inline v0
