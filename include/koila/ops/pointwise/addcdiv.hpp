// SPDX-License-Identifier: MIT
#pragma once
// addcdiv: x + value * a / b.
#include <koila/ops/pointwise/scaled_op.hpp>

namespace koila::inline v0 {

/// (...) x (...) x (...) -> (...), broadcast: x + value * a / b. `value` is a number, 1 by default.
/// The promoted dtype of a and b must be floating-point.
inline constexpr struct addcdiv : detail::scaled_op<addcdiv> {
  static constexpr std::string_view name = "addcdiv";
  static constexpr auto rule(const dims& x, const dims& a, const dims& b, const attributes& attrs) -> verdict {
    const dtype type = result_type(a, b);
    if (type != dtype::unknown && !is_floating(type)) return reason::not_a_floating_type;
    if (!rules::holds(result_type(x, a, b), attrs.value)) return reason::number_out_of_range;
    return rules::broadcast(x, a, b, result_type(x, a, b));
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& a, const at::Tensor& b,
                       const attributes& attrs);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const auto& a, const auto& b,
                                 const attributes& settings) {
    const auto part = div(scaled_op::times(dy, settings), b);
    return gradients(internal::sum_to(dy, x), internal::sum_to(part, a),
                     internal::sum_to(neg(div(mul(part, a), b)), b));
  }
} addcdiv;

}  // namespace koila::inline v0
