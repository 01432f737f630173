// SPDX-License-Identifier: MIT
#pragma once
// sign: -1, 0 or 1 for negative, zero and positive x.
#include <koila/ops/indexing/expand_like.hpp>
#include <koila/ops/pointwise/elementwise.hpp>

namespace koila::inline v0 {

/// (...) -> (...): -1 where x < 0, 0 where x is 0, 1 where x > 0.
inline constexpr struct sign : author::unary<sign> {
  static constexpr std::string_view name = "sign";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  static constexpr auto gradient(const auto&, const auto&, const auto& x) { return gradients(expand_like(0, x)); }
} sign;

}  // namespace koila::inline v0
