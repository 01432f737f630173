// SPDX-License-Identifier: MIT
#pragma once
// sin: the sine of x.
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/operators.hpp>

namespace koila::inline v0 {

namespace ops {  // C declares a function of this name

struct cos;

/// (...) -> (...): the sine of x. Integers become float32.
inline constexpr struct sin : unary_floating<sin> {
  static constexpr std::string_view name = "sin";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) {
    return gradients(dy * detail::call<struct cos>(x));
  }
} sin;

}  // namespace ops

template <class... Ts>
  requires detail::accepts_call<struct ops::sin, Ts...>
constexpr auto sin(const Ts&... ts) {
  return ops::sin(ts...);
}

}  // namespace koila::inline v0

#include <koila/ops/pointwise/cos.hpp>

// Deleted overloads report a refused call. The name in #line is deliberately not that of a file.
// So compilers quote the user's line instead of a line of this header.
#line 1 "koila's sin"
namespace koila::inline v0 {
template <class X, Attribute... As, author::reason Reason = detail::verdict_of<struct ops::sin, X, As...>::value.reason,
          detail::text Message = detail::verdict_of<struct ops::sin, X, As...>::sentence()>
  requires(Reason != author::reason::accepted)
auto sin(const detail::shaped<X>&, const As&...) -> detail::refused = delete;
template <class... Ts, author::reason Reason = detail::invalid_function_call<struct ops::sin, 1, Ts...>::reason,
          detail::text Message = detail::invalid_function_call<struct ops::sin, 1, Ts...>::sentence()>
auto sin(const Ts&...) -> detail::refused = delete;
}  // namespace koila::inline v0
