// SPDX-License-Identifier: MIT
#pragma once
// isnan: whether x is NaN.
#include <koila/expr/function.hpp>
#include <koila/ops/pointwise/elementwise.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) -> bool (...): whether x is NaN.
inline constexpr struct isnan : unary_predicate<isnan> {
  static constexpr std::string_view name = "isnan";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
} isnan;

}  // namespace ops
}  // namespace koila::inline v0

#line 1 "koila's isnan"
KOILA_UNARY_FUNCTION(isnan)
