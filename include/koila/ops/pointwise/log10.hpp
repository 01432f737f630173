// SPDX-License-Identifier: MIT
#pragma once
// log10: the logarithm of x to base 10.
#include <koila/ops/pointwise/div.hpp>
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/operators.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) -> (...): the logarithm of x to base 10. Integers become float32.
inline constexpr struct log10 : unary_floating<log10> {
  static constexpr std::string_view name = "log10";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) {
    return gradients(dy / (x * 2.30258509299404568402));
  }
} log10;

}  // namespace ops

template <class... Ts>
  requires detail::accepts_call<struct ops::log10, Ts...>
constexpr auto log10(const Ts&... ts) {
  return ops::log10(ts...);
}

}  // namespace koila::inline v0

// Deleted overloads report a refused call. The name in #line is deliberately not that of a file.
// So compilers quote the user's line instead of a line of this header.
#line 1 "koila's log10"
namespace koila::inline v0 {
template <class X, Attribute... As,
          author::reason Reason = detail::verdict_of<struct ops::log10, X, As...>::value.reason,
          detail::text Message = detail::verdict_of<struct ops::log10, X, As...>::sentence()>
  requires(Reason != author::reason::accepted)
auto log10(const detail::shaped<X>&, const As&...) -> detail::refused = delete;
template <class... Ts, author::reason Reason = detail::invalid_function_call<struct ops::log10, 1, Ts...>::reason,
          detail::text Message = detail::invalid_function_call<struct ops::log10, 1, Ts...>::sentence()>
auto log10(const Ts&...) -> detail::refused = delete;
}  // namespace koila::inline v0
