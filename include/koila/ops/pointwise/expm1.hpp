// SPDX-License-Identifier: MIT
#pragma once
// expm1: e^x - 1.
#include <koila/ops/common/element_math.hpp>
#include <koila/ops/pointwise/add.hpp>
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/operators.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) -> (...): e^x - 1. Integers become float32.
inline constexpr struct expm1 : unary_floating<expm1> {
  static constexpr std::string_view name = "expm1";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  [[gnu::always_inline]] static auto element(float x) -> float { return detail::expm1_of(x); }
  static auto elements() -> detail::float_elements;
  static constexpr auto gradient(const auto& dy, const auto& y, const auto&) { return gradients(dy * (y + 1)); }
} expm1;

}  // namespace ops

template <class... Ts>
  requires detail::accepts_call<struct ops::expm1, Ts...>
constexpr auto expm1(const Ts&... ts) {
  return ops::expm1(ts...);
}

}  // namespace koila::inline v0

// Deleted overloads report a refused call. The name in #line is deliberately not that of a file.
// So compilers quote the user's line instead of a line of this header.
#line 1 "koila's expm1"
namespace koila::inline v0 {
template <class X, Attribute... As,
          author::reason Reason = detail::verdict_of<struct ops::expm1, X, As...>::value.reason,
          detail::text Message = detail::verdict_of<struct ops::expm1, X, As...>::sentence()>
  requires(Reason != author::reason::accepted)
auto expm1(const detail::shaped<X>&, const As&...) -> detail::refused = delete;
template <class... Ts, author::reason Reason = detail::invalid_function_call<struct ops::expm1, 1, Ts...>::reason,
          detail::text Message = detail::invalid_function_call<struct ops::expm1, 1, Ts...>::sentence()>
auto expm1(const Ts&...) -> detail::refused = delete;
}  // namespace koila::inline v0
