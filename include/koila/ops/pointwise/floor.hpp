// SPDX-License-Identifier: MIT
#pragma once
// floor: the largest integer <= x.
#include <koila/expr/function.hpp>
#include <koila/ops/indexing/expand_like.hpp>
#include <koila/ops/pointwise/elementwise.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) -> (...): the largest integer <= x. Booleans are not accepted.
inline constexpr struct floor : unary_number<floor> {
  static constexpr std::string_view name = "floor";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  static constexpr auto gradient(const auto&, const auto&, const auto& x) { return gradients(expand_like(0, x)); }
} floor;

}  // namespace ops
}  // namespace koila::inline v0

#line 1 "koila's floor"
KOILA_UNARY_FUNCTION(floor)
