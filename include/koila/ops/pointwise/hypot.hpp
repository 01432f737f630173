// SPDX-License-Identifier: MIT
#pragma once
// hypot: the length of the vector (a, b).
#include <koila/ops/pointwise/div.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) x (...) -> (...), broadcast: the square root of a^2 + b^2.
inline constexpr struct hypot : detail::binary_by_libm<hypot> {
  static constexpr std::string_view name = "hypot";
  static constexpr auto rule(const dims& a, const dims& b) -> verdict {
    const dtype type = result_type(a, b);
    if (type != dtype::unknown && !is_floating(type)) return reason::not_a_floating_type;
    return rules::broadcast(a, b);
  }
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b);
  static constexpr auto gradient(const auto& dy, const auto& y, const auto& a, const auto& b) {
    return gradients(internal::sum_to(mul(dy, div(a, y)), a), internal::sum_to(mul(dy, div(b, y)), b));
  }
} hypot;

}  // namespace ops

template <class... Ts>
  requires detail::accepts_call<struct ops::hypot, Ts...>
constexpr auto hypot(const Ts&... ts) {
  return ops::hypot(ts...);
}

}  // namespace koila::inline v0

// Deleted overloads report a refused call. The name in #line is deliberately not that of a file.
// So compilers quote the user's line instead of a line of this header.
#line 1 "koila's hypot"
namespace koila::inline v0 {
template <class A, class B, Attribute... At,
          author::reason Reason = detail::verdict_of<struct ops::hypot, A, B, At...>::value.reason,
          detail::text Message = detail::verdict_of<struct ops::hypot, A, B, At...>::sentence()>
  requires(Reason != author::reason::accepted)
auto hypot(const detail::shaped<A>&, const detail::shaped<B>&, const At&...) -> detail::refused = delete;
template <class... Ts, author::reason Reason = detail::invalid_function_call<struct ops::hypot, 2, Ts...>::reason,
          detail::text Message = detail::invalid_function_call<struct ops::hypot, 2, Ts...>::sentence()>
auto hypot(const Ts&...) -> detail::refused = delete;
}  // namespace koila::inline v0
