// SPDX-License-Identifier: MIT
#pragma once
// tan: the tangent of x.
#include <koila/ops/pointwise/add.hpp>
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/operators.hpp>

namespace koila::inline v0 {

namespace ops {  // C declares a function of this name

/// (...) -> (...): the tangent of x. Integers become float32.
inline constexpr struct tan : unary_floating<tan> {
  static constexpr std::string_view name = "tan";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  static constexpr auto gradient(const auto& dy, const auto& y, const auto&) { return gradients(dy * (y * y + 1)); }
} tan;

}  // namespace ops

template <class... Ts>
  requires detail::accepts_call<struct ops::tan, Ts...>
constexpr auto tan(const Ts&... ts) {
  return ops::tan(ts...);
}

}  // namespace koila::inline v0

// Deleted overloads report a refused call. The name in #line is deliberately not that of a file.
// So compilers quote the user's line instead of a line of this header.
#line 1 "koila's tan"
namespace koila::inline v0 {
template <class X, Attribute... As, author::reason Reason = detail::verdict_of<struct ops::tan, X, As...>::value.reason,
          detail::text Message = detail::verdict_of<struct ops::tan, X, As...>::sentence()>
  requires(Reason != author::reason::accepted)
auto tan(const detail::shaped<X>&, const As&...) -> detail::refused = delete;
template <class... Ts, author::reason Reason = detail::invalid_function_call<struct ops::tan, 1, Ts...>::reason,
          detail::text Message = detail::invalid_function_call<struct ops::tan, 1, Ts...>::sentence()>
auto tan(const Ts&...) -> detail::refused = delete;
}  // namespace koila::inline v0
