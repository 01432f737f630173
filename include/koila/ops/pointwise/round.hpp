// SPDX-License-Identifier: MIT
#pragma once
// round: the nearest integer, with ties rounded to even.
#include <koila/expr/function.hpp>
#include <koila/ops/indexing/expand_like.hpp>
#include <koila/ops/pointwise/elementwise.hpp>

namespace koila::inline v0 {

namespace ops {  // C declares a function of this name

/// (...) -> (...): the nearest integer to x. Ties are rounded to the even integer. Booleans are not
/// allowed.
inline constexpr struct round : unary_number<round> {
  static constexpr std::string_view name = "round";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  static constexpr auto gradient(const auto&, const auto&, const auto& x) { return gradients(expand_like(0, x)); }
} round;

}  // namespace ops
}  // namespace koila::inline v0

#line 1 "koila's round"
KOILA_UNARY_FUNCTION(round)
