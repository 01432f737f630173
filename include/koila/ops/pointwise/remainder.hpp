// SPDX-License-Identifier: MIT
#pragma once
// remainder: the remainder of a / b with the sign of b.
#include <koila/expr/function.hpp>
#include <koila/ops/pointwise/div.hpp>

namespace koila::inline v0 {

namespace ops {  // C declares a function of this name

/// (...) x (...) -> (...), broadcast: a - b * floor(a / b). Booleans are not allowed.
inline constexpr struct remainder : detail::binary_by_libm<remainder> {
  static constexpr std::string_view name = "remainder";
  static constexpr auto rule(const dims& a, const dims& b) -> verdict {
    if (result_type(a, b) == dtype::boolean) return reason::no_rule_for_booleans;
    return rules::broadcast(a, b);
  }
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& a, const auto& b) {
    return gradients(internal::sum_to(dy, a), internal::sum_to(neg(mul(dy, div(a, b, rounding_mode = kFloor))), b));
  }
} remainder;

}  // namespace ops
}  // namespace koila::inline v0

#line 1 "koila's remainder"
KOILA_BINARY_FUNCTION(remainder)
