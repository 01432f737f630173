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
}

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

template <class A, class B>
  requires detail::accepts_operator<struct add, std::remove_cvref_t<A>, std::remove_cvref_t<B>>
constexpr auto operator+(A&& a, B&& b) {
  return detail::call<struct add>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
  requires detail::accepts_operator<struct sub, std::remove_cvref_t<A>, std::remove_cvref_t<B>>
constexpr auto operator-(A&& a, B&& b) {
  return detail::call<struct sub>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
  requires detail::accepts_operator<struct mul, std::remove_cvref_t<A>, std::remove_cvref_t<B>>
constexpr auto operator*(A&& a, B&& b) {
  return detail::call<struct mul>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
  requires detail::accepts_operator<struct ops::div, std::remove_cvref_t<A>, std::remove_cvref_t<B>>
constexpr auto operator/(A&& a, B&& b) {
  return detail::call<struct ops::div>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
  requires detail::accepts_operator<struct eq, std::remove_cvref_t<A>, std::remove_cvref_t<B>>
constexpr auto operator==(A&& a, B&& b) {
  return detail::call<struct eq>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
  requires detail::accepts_operator<struct ne, std::remove_cvref_t<A>, std::remove_cvref_t<B>>
constexpr auto operator!=(A&& a, B&& b) {
  return detail::call<struct ne>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
  requires detail::accepts_operator<struct lt, std::remove_cvref_t<A>, std::remove_cvref_t<B>>
constexpr auto operator<(A&& a, B&& b) {
  return detail::call<struct lt>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
  requires detail::accepts_operator<struct le, std::remove_cvref_t<A>, std::remove_cvref_t<B>>
constexpr auto operator<=(A&& a, B&& b) {
  return detail::call<struct le>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
  requires detail::accepts_operator<struct gt, std::remove_cvref_t<A>, std::remove_cvref_t<B>>
constexpr auto operator>(A&& a, B&& b) {
  return detail::call<struct gt>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
  requires detail::accepts_operator<struct ge, std::remove_cvref_t<A>, std::remove_cvref_t<B>>
constexpr auto operator>=(A&& a, B&& b) {
  return detail::call<struct ge>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
  requires detail::accepts_operator<struct bitwise_and, std::remove_cvref_t<A>, std::remove_cvref_t<B>>
constexpr auto operator&(A&& a, B&& b) {
  return detail::call<struct bitwise_and>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
  requires detail::accepts_operator<struct bitwise_or, std::remove_cvref_t<A>, std::remove_cvref_t<B>>
constexpr auto operator|(A&& a, B&& b) {
  return detail::call<struct bitwise_or>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
  requires detail::accepts_operator<struct bitwise_xor, std::remove_cvref_t<A>, std::remove_cvref_t<B>>
constexpr auto operator^(A&& a, B&& b) {
  return detail::call<struct bitwise_xor>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
  requires detail::accepts_operator<struct ops::remainder, std::remove_cvref_t<A>, std::remove_cvref_t<B>>
constexpr auto operator%(A&& a, B&& b) {
  return detail::call<struct ops::remainder>(std::forward<A>(a), std::forward<B>(b));
}
template <class X>
  requires detail::accepts_operator<struct positive, std::remove_cvref_t<X>>
constexpr auto operator+(X&& x) {
  return detail::call<struct positive>(std::forward<X>(x));
}
template <class X>
  requires detail::accepts_operator<struct neg, std::remove_cvref_t<X>>
constexpr auto operator-(X&& x) {
  return detail::call<struct neg>(std::forward<X>(x));
}
template <class X>
  requires detail::accepts_operator<struct logical_not, std::remove_cvref_t<X>>
constexpr auto operator!(X&& x) {
  return detail::call<struct logical_not>(std::forward<X>(x));
}
template <class X>
  requires detail::accepts_operator<struct bitwise_not, std::remove_cvref_t<X>>
constexpr auto operator~(X&& x) {
  return detail::call<struct bitwise_not>(std::forward<X>(x));
}

// Deleted overloads report a refused call. The name in #line is deliberately not that of a file.
// So compilers quote the user's line instead of a line of this header.
#line 1 "koila's operators"
template <class A, class B, author::reason Reason = detail::verdict_of<struct add, A, B>::value.reason,
          detail::text Message = detail::verdict_of<struct add, A, B>::sentence()>
  requires(Reason != author::reason::accepted)
auto operator+(const detail::shaped<A>&, const detail::shaped<B>&) -> detail::refused = delete;
template <class A, class B, author::reason Reason = detail::invalid_operator_call<struct add, A, B>::reason,
          detail::text Message = detail::invalid_operator_call<struct add, A, B>::sentence()>
auto operator+(const A&, const B&) -> detail::refused = delete;
template <class A, class B, author::reason Reason = detail::verdict_of<struct sub, A, B>::value.reason,
          detail::text Message = detail::verdict_of<struct sub, A, B>::sentence()>
  requires(Reason != author::reason::accepted)
auto operator-(const detail::shaped<A>&, const detail::shaped<B>&) -> detail::refused = delete;
template <class A, class B, author::reason Reason = detail::invalid_operator_call<struct sub, A, B>::reason,
          detail::text Message = detail::invalid_operator_call<struct sub, A, B>::sentence()>
auto operator-(const A&, const B&) -> detail::refused = delete;
template <class A, class B, author::reason Reason = detail::verdict_of<struct mul, A, B>::value.reason,
          detail::text Message = detail::verdict_of<struct mul, A, B>::sentence()>
  requires(Reason != author::reason::accepted)
auto operator*(const detail::shaped<A>&, const detail::shaped<B>&) -> detail::refused = delete;
template <class A, class B, author::reason Reason = detail::invalid_operator_call<struct mul, A, B>::reason,
          detail::text Message = detail::invalid_operator_call<struct mul, A, B>::sentence()>
auto operator*(const A&, const B&) -> detail::refused = delete;
template <class A, class B, author::reason Reason = detail::verdict_of<struct ops::div, A, B>::value.reason,
          detail::text Message = detail::verdict_of<struct ops::div, A, B>::sentence()>
  requires(Reason != author::reason::accepted)
auto operator/(const detail::shaped<A>&, const detail::shaped<B>&) -> detail::refused = delete;
template <class A, class B, author::reason Reason = detail::invalid_operator_call<struct ops::div, A, B>::reason,
          detail::text Message = detail::invalid_operator_call<struct ops::div, A, B>::sentence()>
auto operator/(const A&, const B&) -> detail::refused = delete;
template <class A, class B, author::reason Reason = detail::verdict_of<struct eq, A, B>::value.reason,
          detail::text Message = detail::verdict_of<struct eq, A, B>::sentence()>
  requires(Reason != author::reason::accepted)
auto operator==(const detail::shaped<A>&, const detail::shaped<B>&) -> detail::refused = delete;
template <class A, class B, author::reason Reason = detail::invalid_operator_call<struct eq, A, B>::reason,
          detail::text Message = detail::invalid_operator_call<struct eq, A, B>::sentence()>
auto operator==(const A&, const B&) -> detail::refused = delete;
template <class A, class B, author::reason Reason = detail::verdict_of<struct ne, A, B>::value.reason,
          detail::text Message = detail::verdict_of<struct ne, A, B>::sentence()>
  requires(Reason != author::reason::accepted)
auto operator!=(const detail::shaped<A>&, const detail::shaped<B>&) -> detail::refused = delete;
template <class A, class B, author::reason Reason = detail::invalid_operator_call<struct ne, A, B>::reason,
          detail::text Message = detail::invalid_operator_call<struct ne, A, B>::sentence()>
auto operator!=(const A&, const B&) -> detail::refused = delete;
template <class A, class B, author::reason Reason = detail::verdict_of<struct lt, A, B>::value.reason,
          detail::text Message = detail::verdict_of<struct lt, A, B>::sentence()>
  requires(Reason != author::reason::accepted)
auto operator<(const detail::shaped<A>&, const detail::shaped<B>&) -> detail::refused = delete;
template <class A, class B, author::reason Reason = detail::invalid_operator_call<struct lt, A, B>::reason,
          detail::text Message = detail::invalid_operator_call<struct lt, A, B>::sentence()>
auto operator<(const A&, const B&) -> detail::refused = delete;
template <class A, class B, author::reason Reason = detail::verdict_of<struct le, A, B>::value.reason,
          detail::text Message = detail::verdict_of<struct le, A, B>::sentence()>
  requires(Reason != author::reason::accepted)
auto operator<=(const detail::shaped<A>&, const detail::shaped<B>&) -> detail::refused = delete;
template <class A, class B, author::reason Reason = detail::invalid_operator_call<struct le, A, B>::reason,
          detail::text Message = detail::invalid_operator_call<struct le, A, B>::sentence()>
auto operator<=(const A&, const B&) -> detail::refused = delete;
template <class A, class B, author::reason Reason = detail::verdict_of<struct gt, A, B>::value.reason,
          detail::text Message = detail::verdict_of<struct gt, A, B>::sentence()>
  requires(Reason != author::reason::accepted)
auto operator>(const detail::shaped<A>&, const detail::shaped<B>&) -> detail::refused = delete;
template <class A, class B, author::reason Reason = detail::invalid_operator_call<struct gt, A, B>::reason,
          detail::text Message = detail::invalid_operator_call<struct gt, A, B>::sentence()>
auto operator>(const A&, const B&) -> detail::refused = delete;
template <class A, class B, author::reason Reason = detail::verdict_of<struct ge, A, B>::value.reason,
          detail::text Message = detail::verdict_of<struct ge, A, B>::sentence()>
  requires(Reason != author::reason::accepted)
auto operator>=(const detail::shaped<A>&, const detail::shaped<B>&) -> detail::refused = delete;
template <class A, class B, author::reason Reason = detail::invalid_operator_call<struct ge, A, B>::reason,
          detail::text Message = detail::invalid_operator_call<struct ge, A, B>::sentence()>
auto operator>=(const A&, const B&) -> detail::refused = delete;
template <class A, class B, author::reason Reason = detail::verdict_of<struct bitwise_and, A, B>::value.reason,
          detail::text Message = detail::verdict_of<struct bitwise_and, A, B>::sentence()>
  requires(Reason != author::reason::accepted)
auto operator&(const detail::shaped<A>&, const detail::shaped<B>&) -> detail::refused = delete;
template <class A, class B, author::reason Reason = detail::invalid_operator_call<struct bitwise_and, A, B>::reason,
          detail::text Message = detail::invalid_operator_call<struct bitwise_and, A, B>::sentence()>
auto operator&(const A&, const B&) -> detail::refused = delete;
template <class A, class B, author::reason Reason = detail::verdict_of<struct bitwise_or, A, B>::value.reason,
          detail::text Message = detail::verdict_of<struct bitwise_or, A, B>::sentence()>
  requires(Reason != author::reason::accepted)
auto operator|(const detail::shaped<A>&, const detail::shaped<B>&) -> detail::refused = delete;
template <class A, class B, author::reason Reason = detail::invalid_operator_call<struct bitwise_or, A, B>::reason,
          detail::text Message = detail::invalid_operator_call<struct bitwise_or, A, B>::sentence()>
auto operator|(const A&, const B&) -> detail::refused = delete;
template <class A, class B, author::reason Reason = detail::verdict_of<struct bitwise_xor, A, B>::value.reason,
          detail::text Message = detail::verdict_of<struct bitwise_xor, A, B>::sentence()>
  requires(Reason != author::reason::accepted)
auto operator^(const detail::shaped<A>&, const detail::shaped<B>&) -> detail::refused = delete;
template <class A, class B, author::reason Reason = detail::invalid_operator_call<struct bitwise_xor, A, B>::reason,
          detail::text Message = detail::invalid_operator_call<struct bitwise_xor, A, B>::sentence()>
auto operator^(const A&, const B&) -> detail::refused = delete;
template <class A, class B, author::reason Reason = detail::verdict_of<struct ops::remainder, A, B>::value.reason,
          detail::text Message = detail::verdict_of<struct ops::remainder, A, B>::sentence()>
  requires(Reason != author::reason::accepted)
auto operator%(const detail::shaped<A>&, const detail::shaped<B>&) -> detail::refused = delete;
template <class A, class B, author::reason Reason = detail::invalid_operator_call<struct ops::remainder, A, B>::reason,
          detail::text Message = detail::invalid_operator_call<struct ops::remainder, A, B>::sentence()>
auto operator%(const A&, const B&) -> detail::refused = delete;
template <class X, author::reason Reason = detail::verdict_of<struct positive, X>::value.reason,
          detail::text Message = detail::verdict_of<struct positive, X>::sentence()>
  requires(Reason != author::reason::accepted)
auto operator+(const detail::shaped<X>&) -> detail::refused = delete;
template <class X, author::reason Reason = detail::verdict_of<struct neg, X>::value.reason,
          detail::text Message = detail::verdict_of<struct neg, X>::sentence()>
  requires(Reason != author::reason::accepted)
auto operator-(const detail::shaped<X>&) -> detail::refused = delete;
template <class X, author::reason Reason = detail::verdict_of<struct bitwise_not, X>::value.reason,
          detail::text Message = detail::verdict_of<struct bitwise_not, X>::sentence()>
  requires(Reason != author::reason::accepted)
auto operator~(const detail::shaped<X>&) -> detail::refused = delete;

}  // namespace koila::inline v0
