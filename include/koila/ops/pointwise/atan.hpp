// SPDX-License-Identifier: MIT
#pragma once
// atan: the angle whose tangent is x.
#include <koila/ops/pointwise/add.hpp>
#include <koila/ops/pointwise/div.hpp>
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/operators.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) -> (...): the angle whose tangent is x. Integers become float32.
inline constexpr struct atan : unary_floating<atan> {
  static constexpr std::string_view name = "atan";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) { return gradients(dy / (x * x + 1)); }
} atan;

}  // namespace ops

template <class... Ts>
  requires detail::accepts_call<struct ops::atan, Ts...>
constexpr auto atan(const Ts&... ts) {
  return ops::atan(ts...);
}

}  // namespace koila::inline v0

// Deleted overloads report a refused call. The name in #line is deliberately not that of a file.
// So compilers quote the user's line instead of a line of this header.
#line 1 "koila's atan"
namespace koila::inline v0 {
template <class X, Attribute... As,
          author::reason Reason = detail::verdict_of<struct ops::atan, X, As...>::value.reason,
          detail::text Message = detail::verdict_of<struct ops::atan, X, As...>::sentence()>
  requires(Reason != author::reason::accepted)
auto atan(const detail::shaped<X>&, const As&...) -> detail::refused = delete;
template <class... Ts, author::reason Reason = detail::invalid_function_call<struct ops::atan, 1, Ts...>::reason,
          detail::text Message = detail::invalid_function_call<struct ops::atan, 1, Ts...>::sentence()>
auto atan(const Ts&...) -> detail::refused = delete;
}  // namespace koila::inline v0
