// SPDX-License-Identifier: MIT
#pragma once
// div: a / b, optionally rounded.
#include <koila/expr/function.hpp>
#include <koila/ops/internal/sum_to.hpp>
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/neg.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) x (...) -> (...), broadcast: a / b. Integers become float32. With `rounding_mode`, the
/// quotient is rounded towards 0 or down, integers stay integers, and booleans are not accepted.
inline constexpr struct div : binary<div, 2> {
  static constexpr std::string_view name = "div";
  struct attributes {
    attr<choice> rounding_mode = choice::none;
    constexpr void write(auto& w) const {
      if (rounding_mode.known && rounding_mode.value == choice::floor) w.put(", rounding_mode floor");
      if (rounding_mode.known && rounding_mode.value == choice::trunc) w.put(", rounding_mode trunc");
    }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const dims& a, const dims& b, const attributes& attrs) -> verdict {
    const choice how = attrs.rounding_mode.value;
    const dtype type = result_type(a, b), quotient = rules::floating(type);
    if (!attrs.rounding_mode.known) return rules::broadcast(a, b, type == quotient ? type : dtype::unknown);
    if (how == choice::none) return rules::broadcast(a, b, quotient);
    if (how != choice::trunc && how != choice::floor) return reason::not_an_expected_choice;
    if (type == dtype::boolean) return reason::no_rule_for_booleans;
    return rules::broadcast(a, b, type);
  }
  static constexpr auto fold(double a, double b, const attributes& attrs) -> double {
    const double q = a / b;
    if (attrs.rounding_mode.value == choice::none || !(q > -0x1p53 && q < 0x1p53)) return q;
    const auto trunc = static_cast<double>(static_cast<index_t>(q));
    return attrs.rounding_mode.value == choice::floor && trunc > q ? trunc - 1 : trunc;
  }
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b, const attributes& attrs);
  [[gnu::always_inline]] static void element(auto, const attributes&, auto loop) {
    loop([](auto a, auto b) { return a / b; });
  }
  static auto elements() -> detail::all_elements;
  static constexpr auto has_elements(const attributes& a) -> bool { return a.rounding_mode.value == choice::none; }
  /// A rounded quotient has no gradient, because a rounded quotient is piecewise constant.
  static constexpr auto gradient(const auto& dy, const auto& y, const auto& a, const auto& b,
                                 const attributes& settings) {
    if (settings.rounding_mode.value != choice::none) return gradients(no_gradient, no_gradient);
    return gradients(internal::sum_to(div{}(dy, b), a), internal::sum_to(neg(div{}(mul(dy, y), b)), b));
  }
} div;

}  // namespace ops
}  // namespace koila::inline v0

#line 1 "koila's div"
KOILA_BINARY_FUNCTION(div)
