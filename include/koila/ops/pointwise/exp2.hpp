// SPDX-License-Identifier: MIT
#pragma once
// exp2: 2 to the power of x.
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/operators.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) -> (...): 2 to the power of x. Integers become float32.
inline constexpr struct exp2 : unary_floating<exp2> {
  static constexpr std::string_view name = "exp2";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  static constexpr auto gradient(const auto& dy, const auto& y, const auto&) {
    return gradients(dy * (y * 0.69314718055994530942));
  }
} exp2;

}  // namespace ops

template <class... Ts>
  requires detail::accepts_call<struct ops::exp2, Ts...>
constexpr auto exp2(const Ts&... ts) {
  return ops::exp2(ts...);
}

}  // namespace koila::inline v0

// Deleted overloads report a refused call. The name in #line is deliberately not that of a file.
// So compilers quote the user's line instead of a line of this header.
#line 1 "koila's exp2"
namespace koila::inline v0 {
template <class X, Attribute... As,
          author::reason Reason = detail::verdict_of<struct ops::exp2, X, As...>::value.reason,
          detail::text Message = detail::verdict_of<struct ops::exp2, X, As...>::sentence()>
  requires(Reason != author::reason::accepted)
auto exp2(const detail::shaped<X>&, const As&...) -> detail::refused = delete;
template <class... Ts, author::reason Reason = detail::invalid_function_call<struct ops::exp2, 1, Ts...>::reason,
          detail::text Message = detail::invalid_function_call<struct ops::exp2, 1, Ts...>::sentence()>
auto exp2(const Ts&...) -> detail::refused = delete;
}  // namespace koila::inline v0
