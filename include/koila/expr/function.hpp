// SPDX-License-Identifier: MIT
#pragma once
// Functions for ops whose names C declares, too, such as exp. If exp were an object of namespace
// koila, a call would be ambiguous after `using namespace koila`. So the object is in namespace
// ops, and a function of namespace koila calls it.
#include <koila/expr/op.hpp>

// The macro declares the function `NAME` of an op with one operand: an overload that calls the op,
// and two deleted overloads that report a refused call. The line before the macro must be
// `#line 1 "koila's NAME"`. This is not the name of a file, so compilers quote the user's line
// instead of a line of koila's. A macro is necessary because no template can have a name as an
// argument.
// clang-format off: each refusal is on one line, see op.hpp
#line 1 "koila's functions"
#define KOILA_UNARY_FUNCTION(NAME) namespace koila::inline v0 { \
  template <class... Ts> requires detail::accepts_call<struct ops::NAME, Ts...> constexpr auto NAME(const Ts&... ts) { return ops::NAME(ts...); } \
  template <class X, Attribute... As, author::reason Reason = detail::verdict_of<struct ops::NAME, X, As...>::value.reason, detail::text Message = detail::verdict_of<struct ops::NAME, X, As...>::sentence()> requires(Reason != author::reason::accepted) auto NAME(const detail::shaped<X>&, const As&...) -> detail::refused = delete; \
  template <class... Ts, author::reason Reason = detail::invalid_function_call<struct ops::NAME, 1, Ts...>::reason, detail::text Message = detail::invalid_function_call<struct ops::NAME, 1, Ts...>::sentence()> auto NAME(const Ts&...) -> detail::refused = delete; }

// The same for an op with two operands.
#define KOILA_BINARY_FUNCTION(NAME) namespace koila::inline v0 { \
  template <class... Ts> requires detail::accepts_call<struct ops::NAME, Ts...> constexpr auto NAME(const Ts&... ts) { return ops::NAME(ts...); } \
  template <class X, class Y, Attribute... As, author::reason Reason = detail::verdict_of<struct ops::NAME, X, Y, As...>::value.reason, detail::text Message = detail::verdict_of<struct ops::NAME, X, Y, As...>::sentence()> requires(Reason != author::reason::accepted) auto NAME(const detail::shaped<X>&, const detail::shaped<Y>&, const As&...) -> detail::refused = delete; \
  template <class... Ts, author::reason Reason = detail::invalid_function_call<struct ops::NAME, 2, Ts...>::reason, detail::text Message = detail::invalid_function_call<struct ops::NAME, 2, Ts...>::sentence()> auto NAME(const Ts&...) -> detail::refused = delete; }

// The same for an op with three operands.
#define KOILA_TERNARY_FUNCTION(NAME) namespace koila::inline v0 { \
  template <class... Ts> requires detail::accepts_call<struct ops::NAME, Ts...> constexpr auto NAME(const Ts&... ts) { return ops::NAME(ts...); } \
  template <class X, class Y, class Z, Attribute... As, author::reason Reason = detail::verdict_of<struct ops::NAME, X, Y, Z, As...>::value.reason, detail::text Message = detail::verdict_of<struct ops::NAME, X, Y, Z, As...>::sentence()> requires(Reason != author::reason::accepted) auto NAME(const detail::shaped<X>&, const detail::shaped<Y>&, const detail::shaped<Z>&, const As&...) -> detail::refused = delete; \
  template <class... Ts, author::reason Reason = detail::invalid_function_call<struct ops::NAME, 3, Ts...>::reason, detail::text Message = detail::invalid_function_call<struct ops::NAME, 3, Ts...>::sentence()> auto NAME(const Ts&...) -> detail::refused = delete; }
// clang-format on
