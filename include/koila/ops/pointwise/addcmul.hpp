// SPDX-License-Identifier: MIT
#pragma once
// addcmul: x + value * a * b.
#include <koila/ops/pointwise/scaled_op.hpp>

namespace koila::inline v0 {

/// (...) x (...) x (...) -> (...), broadcast: x + value * a * b. `value` is a number, 1 by default.
/// Booleans are not accepted.
inline constexpr struct addcmul : detail::scaled_op<addcmul> {
  static constexpr std::string_view name = "addcmul";
  static constexpr auto rule(const dims& x, const dims& a, const dims& b, const attributes& attrs) -> verdict {
    if (result_type(x, a, b) == dtype::boolean) return reason::no_rule_for_booleans;
    if (!rules::holds(result_type(x, a, b), attrs.value)) return reason::number_out_of_range;
    return rules::broadcast(x, a, b, result_type(x, a, b));
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& a, const at::Tensor& b,
                       const attributes& attrs);
  [[gnu::always_inline]] static void element(auto zero, const attributes& a, auto loop) {
    loop([value = static_cast<decltype(zero)>(a.value.value)](auto x, auto y, auto z) { return x + value * y * z; });
  }
  static auto elements() -> detail::all_elements;
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const auto& a, const auto& b,
                                 const attributes& settings) {
    return gradients(internal::sum_to(dy, x), internal::sum_to(mul(scaled_op::times(dy, settings), b), a),
                     internal::sum_to(mul(scaled_op::times(dy, settings), a), b));
  }
} addcmul;

}  // namespace koila::inline v0
