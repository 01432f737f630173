// SPDX-License-Identifier: MIT
#pragma once
// remainder: the remainder of a / b with the sign of b.
#include <koila/ops/pointwise/div.hpp>

namespace koila::inline v0 {

namespace ops {  // C declares a function of this name

/// (...) x (...) -> (...), broadcast: a - b * floor(a / b). Booleans are not allowed.
inline constexpr struct remainder : detail::binary_by_libm<remainder> {
  static constexpr std::string_view name = "remainder";
  static constexpr auto rule(const dims& a, const dims& b) -> verdict {
    if (result_type(a, b) == dtype::boolean) return reason::no_rule_for_booleans;
    return rules::broadcast(a, b);
  }
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& a, const auto& b) {
    return gradients(internal::sum_to(dy, a), internal::sum_to(neg(mul(dy, div(a, b, rounding_mode = kFloor))), b));
  }
} remainder;

}  // namespace ops

template <class... Ts>
  requires detail::accepts_call<struct ops::remainder, Ts...>
constexpr auto remainder(const Ts&... ts) {
  return ops::remainder(ts...);
}

}  // namespace koila::inline v0

// Deleted overloads report a refused call. The name in #line is deliberately not that of a file.
// So compilers quote the user's line instead of a line of this header.
#line 1 "koila's remainder"
namespace koila::inline v0 {
template <class A, class B, Attribute... At,
          author::reason Reason = detail::verdict_of<struct ops::remainder, A, B, At...>::value.reason,
          detail::text Message = detail::verdict_of<struct ops::remainder, A, B, At...>::sentence()>
  requires(Reason != author::reason::accepted)
auto remainder(const detail::shaped<A>&, const detail::shaped<B>&, const At&...) -> detail::refused = delete;
template <class... Ts, author::reason Reason = detail::invalid_function_call<struct ops::remainder, 2, Ts...>::reason,
          detail::text Message = detail::invalid_function_call<struct ops::remainder, 2, Ts...>::sentence()>
auto remainder(const Ts&...) -> detail::refused = delete;
}  // namespace koila::inline v0
