// SPDX-License-Identifier: MIT
#pragma once
// The bases of the activations and of their backward ops. An activation takes one floating-point
// operand x and attributes. Its backward op takes two operands, dy and x.
#include <koila/ops/internal/sum_to.hpp>
#include <koila/ops/pointwise/elementwise.hpp>

namespace koila::inline v0 {

namespace rules {

/// The rule of an op with one operand, which must be floating-point.
constexpr auto of_floats(const dims& x) -> verdict {
  if (x.type != dtype::unknown && !is_floating(x.type)) return reason::not_a_floating_type;
  return x;
}

}  // namespace rules

namespace detail {

/// An element-wise op on one floating-point operand, with attributes: (...) -> (...).
template <class Op>
struct activation : unary<Op> {
  static constexpr auto rule(const dims& x) -> verdict { return rules::of_floats(x); }
};

/// The backward op of an activation f: dx = dy * f'(x).
template <class Op>
struct activation_backward : op<Op, 2> {
  static constexpr auto rule(const dims& dy, const dims& x) -> verdict { return rules::slopes(dy, x); }
  static constexpr auto flow(const value& dy, const value& x, const dims& out) -> relations {
    return binary<Op>::flow(dy, x, out);
  }
  static constexpr auto cost(const dims& dy, const dims& x, const dims& out) -> op_cost {
    return binary<Op>::cost(dy, x, out);
  }
};

/// The backward op of a piecewise linear activation. The slope is piecewise constant, so x gets no
/// gradient.
template <class Op>
struct straight_backward : activation_backward<Op> {
  static constexpr auto gradient(const auto& d, const auto&, const auto& dy, const auto& x, const auto& a) {
    return gradients(internal::sum_to(detail::call_with<Op>(a, d, x), dy), no_gradient);
  }
};

/// The attributes of an activation with one factor `alpha`.
struct alpha_attributes {
  static constexpr std::size_t positional = 1;
  attr<double> alpha = 1.0;
  constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, alpha); }
  friend constexpr auto operator==(const alpha_attributes&, const alpha_attributes&) -> bool = default;
};

}  // namespace detail

}  // namespace koila::inline v0
