// SPDX-License-Identifier: MIT
#pragma once
// C++ operators on an expression. The other operand may be an expression, a tensor or a number. The
// ops themselves are in separate headers. && and || are not overloaded, because both sides would be
// evaluated. << and >> are not overloaded, because streams use them.
#include <koila/expr/op.hpp>

namespace koila::inline v0 {

struct add;
struct sub;
struct mul;
struct neg;
struct positive;
struct eq;
struct ne;
struct lt;
struct le;
struct gt;
struct ge;
struct bitwise_and;
struct bitwise_or;
struct bitwise_xor;
struct bitwise_not;
struct logical_not;
namespace ops {
struct div;
struct remainder;
}  // namespace ops

namespace detail {

template <class Op, class... Ts>
inline constexpr bool accepts_operator = false;
template <class Op, class... Ts>
  requires on_traced_values<Ts...>
inline constexpr bool accepts_operator<Op, Ts...> = true;
template <class Op, class... Ts>
  requires((Operand<Ts> && ...) && (Expression<Ts> || ...) && !on_traced_values<Ts...>)
inline constexpr bool accepts_operator<Op, Ts...> = Accepts<Op, Ts...>;

/// The diagnostic of a refused operator call whose operands are not all expressions. If all
/// operands are expressions, the overloads for shapes report the refusal.
template <class Op, class... Ts>
struct invalid_operator_call {};
template <class Op, class... Ts>
  requires((Expression<Ts> || ...) && !(Expression<Ts> && ...) && !accepts_operator<Op, Ts...>)
struct invalid_operator_call<Op, Ts...> : call_diagnostic<Op, Ts...> {};

}  // namespace detail

// The refusal overloads follow the overloads that call the op. The name in #line is deliberately
// not that of a file. So compilers quote the user's line instead of a line of this header. The
// macros are necessary because no template can have an operator's sign as an argument.
// clang-format off: each refusal is on one line, see expr/op.hpp
#line 1 "koila's operators"
#define KOILA_BINARY_OPERATOR(SIGN, OP) \
  template <class A, class B> requires detail::accepts_operator<struct OP, std::remove_cvref_t<A>, std::remove_cvref_t<B>> constexpr auto operator SIGN(A&& a, B&& b) { return detail::call<struct OP>(std::forward<A>(a), std::forward<B>(b)); } \
  template <class A, class B, author::reason Reason = detail::verdict_of<struct OP, A, B>::value.reason, detail::text Message = detail::verdict_of<struct OP, A, B>::sentence()> requires(Reason != author::reason::accepted) auto operator SIGN(const detail::shaped<A>&, const detail::shaped<B>&) -> detail::refused = delete; \
  template <class A, class B, author::reason Reason = detail::invalid_operator_call<struct OP, A, B>::reason, detail::text Message = detail::invalid_operator_call<struct OP, A, B>::sentence()> auto operator SIGN(const A&, const B&) -> detail::refused = delete;
#define KOILA_UNARY_OPERATOR(SIGN, OP) \
  template <class X> requires detail::accepts_operator<struct OP, std::remove_cvref_t<X>> constexpr auto operator SIGN(X&& x) { return detail::call<struct OP>(std::forward<X>(x)); } \
  template <class X, author::reason Reason = detail::verdict_of<struct OP, X>::value.reason, detail::text Message = detail::verdict_of<struct OP, X>::sentence()> requires(Reason != author::reason::accepted) auto operator SIGN(const detail::shaped<X>&) -> detail::refused = delete;

KOILA_BINARY_OPERATOR(+, add)
KOILA_BINARY_OPERATOR(-, sub)
KOILA_BINARY_OPERATOR(*, mul)
KOILA_BINARY_OPERATOR(/, ops::div)
KOILA_BINARY_OPERATOR(%, ops::remainder)
KOILA_BINARY_OPERATOR(==, eq)
KOILA_BINARY_OPERATOR(!=, ne)
KOILA_BINARY_OPERATOR(<, lt)
KOILA_BINARY_OPERATOR(<=, le)
KOILA_BINARY_OPERATOR(>, gt)
KOILA_BINARY_OPERATOR(>=, ge)
KOILA_BINARY_OPERATOR(&, bitwise_and)
KOILA_BINARY_OPERATOR(|, bitwise_or)
KOILA_BINARY_OPERATOR(^, bitwise_xor)
KOILA_UNARY_OPERATOR(+, positive)
KOILA_UNARY_OPERATOR(-, neg)
KOILA_UNARY_OPERATOR(~, bitwise_not)
KOILA_UNARY_OPERATOR(!, logical_not)

#undef KOILA_BINARY_OPERATOR
#undef KOILA_UNARY_OPERATOR
// clang-format on

}  // namespace koila::inline v0
