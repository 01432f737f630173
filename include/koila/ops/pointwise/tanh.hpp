// SPDX-License-Identifier: MIT
#pragma once
// tanh: the hyperbolic tangent of x.
#include <koila/ops/common/element_math.hpp>
#include <koila/ops/internal/tanh_backward.hpp>
#include <koila/ops/pointwise/elementwise.hpp>

namespace koila::inline v0 {

namespace ops {  // C declares a function of this name

/// (...) -> (...): the hyperbolic tangent of x. Integers become float32.
inline constexpr struct tanh : unary_floating<tanh> {
  static constexpr std::string_view name = "tanh";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  [[gnu::always_inline]] static auto element(float x) -> float { return detail::tanh_of(x); }
  static auto elements() -> detail::float_elements;
  static constexpr auto gradient(const auto& dy, const auto& y, const auto&) {
    return gradients(internal::tanh_backward(dy, y));
  }
} tanh;

}  // namespace ops

template <class... Ts>
  requires detail::accepts_call<struct ops::tanh, Ts...>
constexpr auto tanh(const Ts&... ts) {
  return ops::tanh(ts...);
}

}  // namespace koila::inline v0

// Deleted overloads report a refused call. The name in #line is deliberately not that of a file.
// So compilers quote the user's line instead of a line of this header.
#line 1 "koila's tanh"
namespace koila::inline v0 {
template <class X, Attribute... As,
          author::reason Reason = detail::verdict_of<struct ops::tanh, X, As...>::value.reason,
          detail::text Message = detail::verdict_of<struct ops::tanh, X, As...>::sentence()>
  requires(Reason != author::reason::accepted)
auto tanh(const detail::shaped<X>&, const As&...) -> detail::refused = delete;
template <class... Ts, author::reason Reason = detail::invalid_function_call<struct ops::tanh, 1, Ts...>::reason,
          detail::text Message = detail::invalid_function_call<struct ops::tanh, 1, Ts...>::sentence()>
auto tanh(const Ts&...) -> detail::refused = delete;
}  // namespace koila::inline v0
