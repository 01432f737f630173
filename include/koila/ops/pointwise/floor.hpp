// SPDX-License-Identifier: MIT
#pragma once
// floor: the largest integer <= x.
#include <koila/ops/indexing/expand_like.hpp>
#include <koila/ops/pointwise/elementwise.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) -> (...): the largest integer <= x. Booleans are not accepted.
inline constexpr struct floor : unary_number<floor> {
  static constexpr std::string_view name = "floor";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  static constexpr auto gradient(const auto&, const auto&, const auto& x) { return gradients(expand_like(0, x)); }
} floor;

}  // namespace ops

template <class... Ts>
  requires detail::accepts_call<struct ops::floor, Ts...>
constexpr auto floor(const Ts&... ts) {
  return ops::floor(ts...);
}

}  // namespace koila::inline v0

// Deleted overloads report a refused call. The name in #line is deliberately not that of a file.
// So compilers quote the user's line instead of a line of this header.
#line 1 "koila's floor"
namespace koila::inline v0 {
template <class X, Attribute... As,
          author::reason Reason = detail::verdict_of<struct ops::floor, X, As...>::value.reason,
          detail::text Message = detail::verdict_of<struct ops::floor, X, As...>::sentence()>
  requires(Reason != author::reason::accepted)
auto floor(const detail::shaped<X>&, const As&...) -> detail::refused = delete;
template <class... Ts, author::reason Reason = detail::invalid_function_call<struct ops::floor, 1, Ts...>::reason,
          detail::text Message = detail::invalid_function_call<struct ops::floor, 1, Ts...>::sentence()>
auto floor(const Ts&...) -> detail::refused = delete;
}  // namespace koila::inline v0
