// SPDX-License-Identifier: MIT
#pragma once
// ceil: the smallest integer >= x.
#include <koila/expr/function.hpp>
#include <koila/ops/indexing/expand_like.hpp>
#include <koila/ops/pointwise/elementwise.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) -> (...): the smallest integer >= x. Booleans are not accepted.
inline constexpr struct ceil : unary_number<ceil> {
  static constexpr std::string_view name = "ceil";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  static constexpr auto gradient(const auto&, const auto&, const auto& x) { return gradients(expand_like(0, x)); }
} ceil;

}  // namespace ops
}  // namespace koila::inline v0

#line 1 "koila's ceil"
KOILA_UNARY_FUNCTION(ceil)
