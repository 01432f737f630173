// SPDX-License-Identifier: MIT
#pragma once
// log1p: the natural logarithm of 1 + x.
#include <koila/ops/common/element_math.hpp>
#include <koila/ops/pointwise/add.hpp>
#include <koila/ops/pointwise/div.hpp>
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/operators.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) -> (...): the natural logarithm of 1 + x. Integers become float32.
inline constexpr struct log1p : unary_floating<log1p> {
  static constexpr std::string_view name = "log1p";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  [[gnu::always_inline]] static auto element(float x) -> float { return detail::log1p_of(x); }
  static auto elements() -> detail::float_elements;
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) { return gradients(dy / (x + 1)); }
} log1p;

}  // namespace ops

template <class... Ts>
  requires detail::accepts_call<struct ops::log1p, Ts...>
constexpr auto log1p(const Ts&... ts) {
  return ops::log1p(ts...);
}

}  // namespace koila::inline v0

// Deleted overloads report a refused call. The name in #line is deliberately not that of a file.
// So compilers quote the user's line instead of a line of this header.
#line 1 "koila's log1p"
namespace koila::inline v0 {
template <class X, Attribute... As,
          author::reason Reason = detail::verdict_of<struct ops::log1p, X, As...>::value.reason,
          detail::text Message = detail::verdict_of<struct ops::log1p, X, As...>::sentence()>
  requires(Reason != author::reason::accepted)
auto log1p(const detail::shaped<X>&, const As&...) -> detail::refused = delete;
template <class... Ts, author::reason Reason = detail::invalid_function_call<struct ops::log1p, 1, Ts...>::reason,
          detail::text Message = detail::invalid_function_call<struct ops::log1p, 1, Ts...>::sentence()>
auto log1p(const Ts&...) -> detail::refused = delete;
}  // namespace koila::inline v0
