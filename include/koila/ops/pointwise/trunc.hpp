// SPDX-License-Identifier: MIT
#pragma once
// trunc: x rounded towards 0.
#include <koila/ops/indexing/expand_like.hpp>
#include <koila/ops/pointwise/elementwise.hpp>

namespace koila::inline v0 {

namespace ops {  // C declares a function of this name

/// (...) -> (...): x rounded towards 0 to an integer. Booleans are not allowed.
inline constexpr struct trunc : unary_number<trunc> {
  static constexpr std::string_view name = "trunc";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  static constexpr auto gradient(const auto&, const auto&, const auto& x) { return gradients(expand_like(0, x)); }
} trunc;

}  // namespace ops

template <class... Ts>
  requires detail::accepts_call<struct ops::trunc, Ts...>
constexpr auto trunc(const Ts&... ts) {
  return ops::trunc(ts...);
}

}  // namespace koila::inline v0

// Deleted overloads report a refused call. The name in #line is deliberately not that of a file.
// So compilers quote the user's line instead of a line of this header.
#line 1 "koila's trunc"
namespace koila::inline v0 {
template <class X, Attribute... As,
          author::reason Reason = detail::verdict_of<struct ops::trunc, X, As...>::value.reason,
          detail::text Message = detail::verdict_of<struct ops::trunc, X, As...>::sentence()>
  requires(Reason != author::reason::accepted)
auto trunc(const detail::shaped<X>&, const As&...) -> detail::refused = delete;
template <class... Ts, author::reason Reason = detail::invalid_function_call<struct ops::trunc, 1, Ts...>::reason,
          detail::text Message = detail::invalid_function_call<struct ops::trunc, 1, Ts...>::sentence()>
auto trunc(const Ts&...) -> detail::refused = delete;
}  // namespace koila::inline v0
