// SPDX-License-Identifier: MIT
#pragma once
// cos: the cosine of x.
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/neg.hpp>
#include <koila/ops/pointwise/operators.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

struct sin;

/// (...) -> (...): the cosine of x. Integers become float32.
inline constexpr struct cos : unary_floating<cos> {
  static constexpr std::string_view name = "cos";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) {
    return gradients(-(dy * detail::call<struct sin>(x)));
  }
} cos;

}  // namespace ops

template <class... Ts>
  requires detail::accepts_call<struct ops::cos, Ts...>
constexpr auto cos(const Ts&... ts) {
  return ops::cos(ts...);
}

}  // namespace koila::inline v0

#include <koila/ops/pointwise/sin.hpp>

// Deleted overloads report a refused call. The name in #line is deliberately not that of a file.
// So compilers quote the user's line instead of a line of this header.
#line 1 "koila's cos"
namespace koila::inline v0 {
template <class X, Attribute... As, author::reason Reason = detail::verdict_of<struct ops::cos, X, As...>::value.reason,
          detail::text Message = detail::verdict_of<struct ops::cos, X, As...>::sentence()>
  requires(Reason != author::reason::accepted)
auto cos(const detail::shaped<X>&, const As&...) -> detail::refused = delete;
template <class... Ts, author::reason Reason = detail::invalid_function_call<struct ops::cos, 1, Ts...>::reason,
          detail::text Message = detail::invalid_function_call<struct ops::cos, 1, Ts...>::sentence()>
auto cos(const Ts&...) -> detail::refused = delete;
}  // namespace koila::inline v0
