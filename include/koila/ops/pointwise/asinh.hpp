// SPDX-License-Identifier: MIT
#pragma once
// asinh: the number whose hyperbolic sine is x.
#include <koila/ops/pointwise/add.hpp>
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/operators.hpp>
#include <koila/ops/pointwise/rsqrt.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) -> (...): the number whose hyperbolic sine is x. Integers become float32.
inline constexpr struct asinh : unary_floating<asinh> {
  static constexpr std::string_view name = "asinh";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) {
    return gradients(dy * rsqrt(x * x + 1));
  }
} asinh;

}  // namespace ops

template <class... Ts>
  requires detail::accepts_call<struct ops::asinh, Ts...>
constexpr auto asinh(const Ts&... ts) {
  return ops::asinh(ts...);
}

}  // namespace koila::inline v0

// Deleted overloads report a refused call. The name in #line is deliberately not that of a file.
// So compilers quote the user's line instead of a line of this header.
#line 1 "koila's asinh"
namespace koila::inline v0 {
template <class X, Attribute... As,
          author::reason Reason = detail::verdict_of<struct ops::asinh, X, As...>::value.reason,
          detail::text Message = detail::verdict_of<struct ops::asinh, X, As...>::sentence()>
  requires(Reason != author::reason::accepted)
auto asinh(const detail::shaped<X>&, const As&...) -> detail::refused = delete;
template <class... Ts, author::reason Reason = detail::invalid_function_call<struct ops::asinh, 1, Ts...>::reason,
          detail::text Message = detail::invalid_function_call<struct ops::asinh, 1, Ts...>::sentence()>
auto asinh(const Ts&...) -> detail::refused = delete;
}  // namespace koila::inline v0
