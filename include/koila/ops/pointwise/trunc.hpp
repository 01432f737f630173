// SPDX-License-Identifier: MIT
#pragma once
// trunc: x rounded towards 0.
#include <koila/expr/function.hpp>
#include <koila/ops/indexing/expand_like.hpp>
#include <koila/ops/pointwise/elementwise.hpp>

namespace koila::inline v0 {

namespace ops {  // C declares a function of this name

/// (...) -> (...): x rounded towards 0 to an integer. Booleans are not allowed.
inline constexpr struct trunc : unary_number<trunc> {
  static constexpr std::string_view name = "trunc";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  static constexpr auto gradient(const auto&, const auto&, const auto& x) { return gradients(expand_like(0, x)); }
} trunc;

}  // namespace ops
}  // namespace koila::inline v0

#line 1 "koila's trunc"
KOILA_UNARY_FUNCTION(trunc)
