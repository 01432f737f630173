// SPDX-License-Identifier: MIT
#pragma once
// round: the nearest integer, with ties rounded to even.
#include <koila/ops/indexing/expand_like.hpp>
#include <koila/ops/pointwise/elementwise.hpp>

namespace koila::inline v0 {

namespace ops {  // C declares a function of this name

/// (...) -> (...): the nearest integer to x. Ties are rounded to the even integer. Booleans are not
/// allowed.
inline constexpr struct round : unary_number<round> {
  static constexpr std::string_view name = "round";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  static constexpr auto gradient(const auto&, const auto&, const auto& x) { return gradients(expand_like(0, x)); }
} round;

}  // namespace ops

template <class... Ts>
  requires detail::accepts_call<struct ops::round, Ts...>
constexpr auto round(const Ts&... ts) {
  return ops::round(ts...);
}

}  // namespace koila::inline v0

// Deleted overloads report a refused call. The name in #line is deliberately not that of a file.
// So compilers quote the user's line instead of a line of this header.
#line 1 "koila's round"
namespace koila::inline v0 {
template <class X, Attribute... As,
          author::reason Reason = detail::verdict_of<struct ops::round, X, As...>::value.reason,
          detail::text Message = detail::verdict_of<struct ops::round, X, As...>::sentence()>
  requires(Reason != author::reason::accepted)
auto round(const detail::shaped<X>&, const As&...) -> detail::refused = delete;
template <class... Ts, author::reason Reason = detail::invalid_function_call<struct ops::round, 1, Ts...>::reason,
          detail::text Message = detail::invalid_function_call<struct ops::round, 1, Ts...>::sentence()>
auto round(const Ts&...) -> detail::refused = delete;
}  // namespace koila::inline v0
