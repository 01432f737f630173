// SPDX-License-Identifier: MIT
#pragma once
// sqrt: the square root of x.
#include <koila/ops/common/element_math.hpp>
#include <koila/ops/pointwise/div.hpp>
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/operators.hpp>

namespace koila::inline v0 {

namespace ops {  // C declares a function of this name

/// (...) -> (...): the square root of x. Integers become float32.
inline constexpr struct sqrt : unary_floating<sqrt> {
  static constexpr std::string_view name = "sqrt";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  static constexpr bool sets_errno = true;  // sqrt may set errno: compilers vectorise it only with -fno-math-errno
  [[gnu::always_inline]] static auto element(auto x) { return detail::root_of(x); }
  static auto elements() -> detail::all_elements;
  static constexpr auto gradient(const auto& dy, const auto& y, const auto&) { return gradients(dy / (y * 2)); }
} sqrt;

}  // namespace ops

template <class... Ts>
  requires detail::accepts_call<struct ops::sqrt, Ts...>
constexpr auto sqrt(const Ts&... ts) {
  return ops::sqrt(ts...);
}

}  // namespace koila::inline v0

// Deleted overloads report a refused call. The name in #line is deliberately not that of a file.
// So compilers quote the user's line instead of a line of this header.
#line 1 "koila's sqrt"
namespace koila::inline v0 {
template <class X, Attribute... As,
          author::reason Reason = detail::verdict_of<struct ops::sqrt, X, As...>::value.reason,
          detail::text Message = detail::verdict_of<struct ops::sqrt, X, As...>::sentence()>
  requires(Reason != author::reason::accepted)
auto sqrt(const detail::shaped<X>&, const As&...) -> detail::refused = delete;
template <class... Ts, author::reason Reason = detail::invalid_function_call<struct ops::sqrt, 1, Ts...>::reason,
          detail::text Message = detail::invalid_function_call<struct ops::sqrt, 1, Ts...>::sentence()>
auto sqrt(const Ts&...) -> detail::refused = delete;
}  // namespace koila::inline v0
