// SPDX-License-Identifier: MIT
#pragma once
// abs: the absolute value of x.
#include <koila/ops/common/element_math.hpp>
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/operators.hpp>
#include <koila/ops/pointwise/sign.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) -> (...): the absolute value of x. Booleans are not accepted.
inline constexpr struct abs : unary_number<abs> {
  static constexpr std::string_view name = "abs";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  [[gnu::always_inline]] static auto element(auto x) { return detail::magnitude(x); }
  static auto elements() -> detail::all_elements;
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) { return gradients(dy * sign(x)); }
} abs;

}  // namespace ops

template <class... Ts>
  requires detail::accepts_call<struct ops::abs, Ts...>
constexpr auto abs(const Ts&... ts) {
  return ops::abs(ts...);
}

}  // namespace koila::inline v0

// Deleted overloads report a refused call. The name in #line is deliberately not that of a file.
// So compilers quote the user's line instead of a line of this header.
#line 1 "koila's abs"
namespace koila::inline v0 {
template <class X, Attribute... As, author::reason Reason = detail::verdict_of<struct ops::abs, X, As...>::value.reason,
          detail::text Message = detail::verdict_of<struct ops::abs, X, As...>::sentence()>
  requires(Reason != author::reason::accepted)
auto abs(const detail::shaped<X>&, const As&...) -> detail::refused = delete;
template <class... Ts, author::reason Reason = detail::invalid_function_call<struct ops::abs, 1, Ts...>::reason,
          detail::text Message = detail::invalid_function_call<struct ops::abs, 1, Ts...>::sentence()>
auto abs(const Ts&...) -> detail::refused = delete;
}  // namespace koila::inline v0
