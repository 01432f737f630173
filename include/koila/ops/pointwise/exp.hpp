// SPDX-License-Identifier: MIT
#pragma once
// exp: e to the power of x.
#include <koila/ops/common/element_math.hpp>
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) -> (...): e to the power of x. Integers become float32.
inline constexpr struct exp : unary_floating<exp> {
  static constexpr std::string_view name = "exp";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  [[gnu::always_inline]] static auto element(float x) -> float { return detail::exp_of(x); }
  static auto elements() -> detail::float_elements;
  static constexpr auto gradient(const auto& dy, const auto& y, const auto&) { return gradients(mul(dy, y)); }
} exp;

}  // namespace ops

template <class... Ts>
  requires detail::accepts_call<struct ops::exp, Ts...>
constexpr auto exp(const Ts&... ts) {
  return ops::exp(ts...);
}

}  // namespace koila::inline v0

// Deleted overloads report a refused call. The name in #line is deliberately not that of a file.
// So compilers quote the user's line instead of a line of this header.
#line 1 "koila's exp"
namespace koila::inline v0 {
template <class X, Attribute... As, author::reason Reason = detail::verdict_of<struct ops::exp, X, As...>::value.reason,
          detail::text Message = detail::verdict_of<struct ops::exp, X, As...>::sentence()>
  requires(Reason != author::reason::accepted)
auto exp(const detail::shaped<X>&, const As&...) -> detail::refused = delete;
template <class... Ts, author::reason Reason = detail::invalid_function_call<struct ops::exp, 1, Ts...>::reason,
          detail::text Message = detail::invalid_function_call<struct ops::exp, 1, Ts...>::sentence()>
auto exp(const Ts&...) -> detail::refused = delete;
}  // namespace koila::inline v0
