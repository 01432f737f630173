// SPDX-License-Identifier: MIT
#pragma once
// isfinite: whether x is finite.
#include <koila/ops/pointwise/isnan.hpp>
#include <koila/ops/pointwise/logical_not.hpp>
#include <koila/ops/pointwise/mul.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) -> bool (...): whether x is not infinite and not NaN. The op tests x * 0, which is 0 for a
/// finite x and NaN for any other x.
inline constexpr struct isfinite : unary_predicate<isfinite> {
  static constexpr std::string_view name = "isfinite";
  static constexpr auto expand(const auto& x) { return logical_not(ops::isnan(mul(x, 0))); }
} isfinite;

}  // namespace ops

template <class... Ts>
  requires detail::accepts_call<struct ops::isfinite, Ts...>
constexpr auto isfinite(const Ts&... ts) {
  return ops::isfinite(ts...);
}

}  // namespace koila::inline v0

// Deleted overloads report a refused call. The name in #line is deliberately not that of a file.
// So compilers quote the user's line instead of a line of this header.
#line 1 "koila's isfinite"
namespace koila::inline v0 {
template <class X, Attribute... As,
          author::reason Reason = detail::verdict_of<struct ops::isfinite, X, As...>::value.reason,
          detail::text Message = detail::verdict_of<struct ops::isfinite, X, As...>::sentence()>
  requires(Reason != author::reason::accepted)
auto isfinite(const detail::shaped<X>&, const As&...) -> detail::refused = delete;
template <class... Ts, author::reason Reason = detail::invalid_function_call<struct ops::isfinite, 1, Ts...>::reason,
          detail::text Message = detail::invalid_function_call<struct ops::isfinite, 1, Ts...>::sentence()>
auto isfinite(const Ts&...) -> detail::refused = delete;
}  // namespace koila::inline v0
