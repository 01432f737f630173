// SPDX-License-Identifier: MIT
#pragma once
// atanh: the number whose hyperbolic tangent is x.
#include <koila/ops/pointwise/div.hpp>
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/operators.hpp>
#include <koila/ops/pointwise/sub.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) -> (...): the number whose hyperbolic tangent is x. Integers become float32.
inline constexpr struct atanh : unary_floating<atanh> {
  static constexpr std::string_view name = "atanh";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) { return gradients(dy / (1 - x * x)); }
} atanh;

}  // namespace ops

template <class... Ts>
  requires detail::accepts_call<struct ops::atanh, Ts...>
constexpr auto atanh(const Ts&... ts) {
  return ops::atanh(ts...);
}

}  // namespace koila::inline v0

// Deleted overloads report a refused call. The name in #line is deliberately not that of a file.
// So compilers quote the user's line instead of a line of this header.
#line 1 "koila's atanh"
namespace koila::inline v0 {
template <class X, Attribute... As,
          author::reason Reason = detail::verdict_of<struct ops::atanh, X, As...>::value.reason,
          detail::text Message = detail::verdict_of<struct ops::atanh, X, As...>::sentence()>
  requires(Reason != author::reason::accepted)
auto atanh(const detail::shaped<X>&, const As&...) -> detail::refused = delete;
template <class... Ts, author::reason Reason = detail::invalid_function_call<struct ops::atanh, 1, Ts...>::reason,
          detail::text Message = detail::invalid_function_call<struct ops::atanh, 1, Ts...>::sentence()>
auto atanh(const Ts&...) -> detail::refused = delete;
}  // namespace koila::inline v0
