// SPDX-License-Identifier: MIT
#pragma once
// sinh: the hyperbolic sine of x.
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/operators.hpp>

namespace koila::inline v0 {

namespace ops {  // C declares a function of this name

struct cosh;

/// (...) -> (...): the hyperbolic sine of x. Integers become float32.
inline constexpr struct sinh : unary_floating<sinh> {
  static constexpr std::string_view name = "sinh";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) {
    return gradients(dy * detail::call<struct cosh>(x));
  }
} sinh;

}  // namespace ops

template <class... Ts>
  requires detail::accepts_call<struct ops::sinh, Ts...>
constexpr auto sinh(const Ts&... ts) {
  return ops::sinh(ts...);
}

}  // namespace koila::inline v0

#include <koila/ops/pointwise/cosh.hpp>

// Deleted overloads report a refused call. The name in #line is deliberately not that of a file.
// So compilers quote the user's line instead of a line of this header.
#line 1 "koila's sinh"
namespace koila::inline v0 {
template <class X, Attribute... As,
          author::reason Reason = detail::verdict_of<struct ops::sinh, X, As...>::value.reason,
          detail::text Message = detail::verdict_of<struct ops::sinh, X, As...>::sentence()>
  requires(Reason != author::reason::accepted)
auto sinh(const detail::shaped<X>&, const As&...) -> detail::refused = delete;
template <class... Ts, author::reason Reason = detail::invalid_function_call<struct ops::sinh, 1, Ts...>::reason,
          detail::text Message = detail::invalid_function_call<struct ops::sinh, 1, Ts...>::sentence()>
auto sinh(const Ts&...) -> detail::refused = delete;
}  // namespace koila::inline v0
