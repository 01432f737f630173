// SPDX-License-Identifier: MIT
#pragma once
// isnan: whether x is NaN.
#include <koila/ops/pointwise/elementwise.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) -> bool (...): whether x is NaN.
inline constexpr struct isnan : unary_predicate<isnan> {
  static constexpr std::string_view name = "isnan";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
} isnan;

}  // namespace ops

template <class... Ts>
  requires detail::accepts_call<struct ops::isnan, Ts...>
constexpr auto isnan(const Ts&... ts) {
  return ops::isnan(ts...);
}

}  // namespace koila::inline v0

// Deleted overloads report a refused call. The name in #line is deliberately not that of a file.
// So compilers quote the user's line instead of a line of this header.
#line 1 "koila's isnan"
namespace koila::inline v0 {
template <class X, Attribute... As,
          author::reason Reason = detail::verdict_of<struct ops::isnan, X, As...>::value.reason,
          detail::text Message = detail::verdict_of<struct ops::isnan, X, As...>::sentence()>
  requires(Reason != author::reason::accepted)
auto isnan(const detail::shaped<X>&, const As&...) -> detail::refused = delete;
template <class... Ts, author::reason Reason = detail::invalid_function_call<struct ops::isnan, 1, Ts...>::reason,
          detail::text Message = detail::invalid_function_call<struct ops::isnan, 1, Ts...>::sentence()>
auto isnan(const Ts&...) -> detail::refused = delete;
}  // namespace koila::inline v0
