// SPDX-License-Identifier: MIT
#pragma once
// fmod: the remainder of a / b with the sign of a.
#include <koila/ops/pointwise/div.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) x (...) -> (...), broadcast: a - b * trunc(a / b). Booleans are not accepted.
inline constexpr struct fmod : detail::binary_by_libm<fmod> {
  static constexpr std::string_view name = "fmod";
  static constexpr auto rule(const dims& a, const dims& b) -> verdict {
    if (result_type(a, b) == dtype::boolean) return reason::no_rule_for_booleans;
    return rules::broadcast(a, b);
  }
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& a, const auto& b) {
    return gradients(internal::sum_to(dy, a), internal::sum_to(neg(mul(dy, div(a, b, rounding_mode = kTrunc))), b));
  }
} fmod;

}  // namespace ops

template <class... Ts>
  requires detail::accepts_call<struct ops::fmod, Ts...>
constexpr auto fmod(const Ts&... ts) {
  return ops::fmod(ts...);
}

}  // namespace koila::inline v0

// Deleted overloads report a refused call. The name in #line is deliberately not that of a file.
// So compilers quote the user's line instead of a line of this header.
#line 1 "koila's fmod"
namespace koila::inline v0 {
template <class A, class B, Attribute... At,
          author::reason Reason = detail::verdict_of<struct ops::fmod, A, B, At...>::value.reason,
          detail::text Message = detail::verdict_of<struct ops::fmod, A, B, At...>::sentence()>
  requires(Reason != author::reason::accepted)
auto fmod(const detail::shaped<A>&, const detail::shaped<B>&, const At&...) -> detail::refused = delete;
template <class... Ts, author::reason Reason = detail::invalid_function_call<struct ops::fmod, 2, Ts...>::reason,
          detail::text Message = detail::invalid_function_call<struct ops::fmod, 2, Ts...>::sentence()>
auto fmod(const Ts&...) -> detail::refused = delete;
}  // namespace koila::inline v0
