// SPDX-License-Identifier: MIT
#pragma once
// pow: a to the power of b.
#include <koila/ops/internal/pow_backward.hpp>
#include <koila/ops/internal/sum_to.hpp>
#include <koila/ops/pointwise/elementwise.hpp>

namespace koila::inline v0 {

namespace ops {  // C declares a function of this name

/// (...) x (...) -> (...), broadcast: a to the power of b. Two operands of dtype bool are not
/// allowed.
inline constexpr struct pow : detail::binary_by_libm<pow> {
  static constexpr std::string_view name = "pow";
  static constexpr auto rule(const dims& a, const dims& b) -> verdict {
    if (a.type == dtype::boolean && b.type == dtype::boolean) return reason::no_rule_for_booleans;
    return rules::broadcast(a, b);
  }
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b);
  static constexpr auto gradient(const auto& dy, const auto& y, const auto& a, const auto& b) {
    return gradients(internal::sum_to(internal::pow_backward_base(dy, a, b), a),
                     internal::sum_to(internal::pow_backward_exponent(dy, y, a, b), b));
  }
} pow;

}  // namespace ops

template <class... Ts>
  requires detail::accepts_call<struct ops::pow, Ts...>
constexpr auto pow(const Ts&... ts) {
  return ops::pow(ts...);
}

}  // namespace koila::inline v0

// Deleted overloads report a refused call. The name in #line is deliberately not that of a file.
// So compilers quote the user's line instead of a line of this header.
#line 1 "koila's pow"
namespace koila::inline v0 {
template <class A, class B, Attribute... At,
          author::reason Reason = detail::verdict_of<struct ops::pow, A, B, At...>::value.reason,
          detail::text Message = detail::verdict_of<struct ops::pow, A, B, At...>::sentence()>
  requires(Reason != author::reason::accepted)
auto pow(const detail::shaped<A>&, const detail::shaped<B>&, const At&...) -> detail::refused = delete;
template <class... Ts, author::reason Reason = detail::invalid_function_call<struct ops::pow, 2, Ts...>::reason,
          detail::text Message = detail::invalid_function_call<struct ops::pow, 2, Ts...>::sentence()>
auto pow(const Ts&...) -> detail::refused = delete;
}  // namespace koila::inline v0
