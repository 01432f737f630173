// SPDX-License-Identifier: MIT
#pragma once
// Shared by element-wise ops: broadcasting, flow, cost.
#include <koila/expr/op.hpp>

namespace koila::inline v0 {

namespace author {

/// An element-wise op on one operand: (...) -> (...).
template <class Op>
struct unary : op<Op, 1> {
  static constexpr bool takes_numbers = true;
  static constexpr auto rule(const dims& x) -> verdict { return x; }
  static constexpr auto flow(const value& x, const dims& out) -> relations { return flows::elementwise(&x, 1, out); }
  static constexpr auto cost(const dims& x, const dims& out) -> op_cost {
    return {static_cast<double>(out.count()), static_cast<double>(x.bytes() + out.bytes()),
            detail::converted(x, out.type)};
  }
};

/// An element-wise op on one operand whose result is floating-point. Integers become float32.
template <class Op>
struct unary_floating : unary<Op> {
  static constexpr auto rule(const dims& x) -> verdict { return x.with(rules::floating(x.type)); }
};

/// An element-wise op on one operand that must not be boolean.
template <class Op>
struct unary_number : unary<Op> {
  static constexpr auto rule(const dims& x) -> verdict {
    return x.type == dtype::boolean ? verdict(reason::no_rule_for_booleans) : verdict(x);
  }
};

}  // namespace author

namespace detail {

/// An element-wise op on one operand that must be floating-point.
template <class Op>
struct unary_activation : unary<Op> {
  static constexpr auto rule(const dims& x) -> verdict {
    return x.type == dtype::unknown || is_floating(x.type) ? verdict(x) : verdict(reason::not_a_floating_type);
  }
};

}  // namespace detail

namespace author {

/// An element-wise op on one operand whose result is boolean.
template <class Op>
struct unary_predicate : unary<Op> {
  static constexpr auto rule(const dims& x) -> verdict { return x.with(dtype::boolean); }
  static constexpr auto cost(const dims& x, const dims& out) -> op_cost {
    return {static_cast<double>(out.count()), static_cast<double>(x.bytes() + out.bytes()), 0};  // x is not converted
  }
};

/// An element-wise op on two operands that broadcast: (...) x (...) -> (...).
template <class Op, int Operands = 2>
struct binary : op<Op, Operands> {
  static constexpr bool takes_numbers = true;
  static constexpr auto rule(const dims& a, const dims& b) -> verdict { return rules::broadcast(a, b); }
  static constexpr auto flow(const value& a, const value& b, const dims& out) -> relations {
    const value in[] = {a, b};
    return flows::elementwise(in, 2, out);
  }
  static constexpr auto cost(const dims& a, const dims& b, const dims& out) -> op_cost {
    return {static_cast<double>(out.count()), static_cast<double>(a.bytes() + b.bytes() + out.bytes()),
            detail::converted(a, out.type) + detail::converted(b, out.type)};
  }
};

}  // namespace author

namespace detail {

/// A `binary` op that libm computes element by element. The op needs no workspace if the result is
/// floating-point and each operand is a number or has the result's dtype.
template <class Op, int Operands = 2>
struct binary_by_libm : binary<Op, Operands> {
  static constexpr auto cost(const dims& a, const dims& b, const dims& out) -> op_cost {
    op_cost w = binary<Op, Operands>::cost(a, b, out);
    const auto is_read = [&](const dims& x) { return x.number || x.type == out.type; };
    if (is_floating(out.type) && is_read(a) && is_read(b)) w.workspace = 0;
    return w;
  }
};

template <class... Ts>
inline constexpr bool number_between = false;
template <Expression A, Number B, Expression C>
inline constexpr bool number_between<A, B, C> = true;

/// The diagnostic of a refused call op(shape, number, shape). It is empty for any other call.
template <class Op, class... Ts>
struct number_refusal {};
template <class Op, class A, Number N, class B>
struct number_refusal<Op, A, N, B> : refusal<Op, type_list<>, A, N, B> {};
}  // namespace detail

namespace author {

/// An element-wise op on three operands that broadcast: (...) x (...) x (...) -> (...). The third
/// operand may be a number.
template <class Op, int Operands = 2>
struct ternary : op<Op, Operands> {
  static constexpr bool takes_numbers = true;
  static constexpr auto rule(const dims& a, const dims& b, const dims& c) -> verdict {
    return rules::broadcast(a, b, c, result_type(a, b, c));
  }
  static constexpr auto flow(const value& a, const value& b, const value& c, const dims& out) -> relations {
    const value in[] = {a, b, c};
    return flows::elementwise(in, 3, out);
  }
  static constexpr auto cost(const dims& a, const dims& b, const dims& c, const dims& out) -> op_cost {
    return {2 * static_cast<double>(out.count()), static_cast<double>(a.bytes() + b.bytes() + c.bytes() + out.bytes()),
            detail::converted(a, out.type) + detail::converted(b, out.type) + detail::converted(c, out.type)};
  }

  using op<Op, Operands>::operator();
  template <class... Ts>
  static constexpr bool takes_form = detail::number_between<Ts...>;
  // clang-format off: on one line, see op.hpp
#line 1 "koila's op"
  template <class S, class N, class R, reason Reason = detail::number_refusal<Op, S, N, R>::reason, detail::text Message = detail::number_refusal<Op, S, N, R>::sentence()> auto operator()(const detail::shaped<S>&, N, const detail::shaped<R>&) const -> detail::refused = delete;
};

}  // namespace author
}  // namespace koila
// clang-format on
