// SPDX-License-Identifier: MIT
#pragma once
// log: the natural logarithm of x.
#include <koila/ops/common/element_math.hpp>
#include <koila/ops/pointwise/div.hpp>
#include <koila/ops/pointwise/elementwise.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) -> (...): the natural logarithm of x. Integers become float32.
inline constexpr struct log : unary_floating<log> {
  static constexpr std::string_view name = "log";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  [[gnu::always_inline]] static auto element(float x) -> float { return detail::log_of(x); }
  static auto elements() -> detail::float_elements;
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) { return gradients(div(dy, x)); }
} log;

}  // namespace ops

template <class... Ts>
  requires detail::accepts_call<struct ops::log, Ts...>
constexpr auto log(const Ts&... ts) {
  return ops::log(ts...);
}

}  // namespace koila::inline v0

// Deleted overloads report a refused call. The name in #line is deliberately not that of a file.
// So compilers quote the user's line instead of a line of this header.
#line 1 "koila's log"
namespace koila::inline v0 {
template <class X, Attribute... As, author::reason Reason = detail::verdict_of<struct ops::log, X, As...>::value.reason,
          detail::text Message = detail::verdict_of<struct ops::log, X, As...>::sentence()>
  requires(Reason != author::reason::accepted)
auto log(const detail::shaped<X>&, const As&...) -> detail::refused = delete;
template <class... Ts, author::reason Reason = detail::invalid_function_call<struct ops::log, 1, Ts...>::reason,
          detail::text Message = detail::invalid_function_call<struct ops::log, 1, Ts...>::sentence()>
auto log(const Ts&...) -> detail::refused = delete;
}  // namespace koila::inline v0
