// SPDX-License-Identifier: MIT
#pragma once
// pow: a to the power of b.
#include <koila/expr/function.hpp>
#include <koila/ops/internal/pow_backward.hpp>
#include <koila/ops/internal/sum_to.hpp>
#include <koila/ops/pointwise/elementwise.hpp>

namespace koila::inline v0 {

namespace ops {  // C declares a function of this name

/// (...) x (...) -> (...), broadcast: a to the power of b. Two operands of dtype bool are not
/// allowed.
inline constexpr struct pow : detail::binary_by_libm<pow> {
  static constexpr std::string_view name = "pow";
  static constexpr auto rule(const dims& a, const dims& b) -> verdict {
    if (a.type == dtype::boolean && b.type == dtype::boolean) return reason::no_rule_for_booleans;
    return rules::broadcast(a, b);
  }
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b);
  static constexpr auto gradient(const auto& dy, const auto& y, const auto& a, const auto& b) {
    return gradients(internal::sum_to(internal::pow_backward_base(dy, a, b), a),
                     internal::sum_to(internal::pow_backward_exponent(dy, y, a, b), b));
  }
} pow;

}  // namespace ops
}  // namespace koila::inline v0

#line 1 "koila's pow"
KOILA_BINARY_FUNCTION(pow)
