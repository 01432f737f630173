// SPDX-License-Identifier: MIT
#pragma once
// fma: fused multiply-add.
#include <koila/ops/pointwise/addcmul.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) x (...) x (...) -> (...), broadcast: a * b + c.
inline constexpr struct fma : ternary<fma> {
  static constexpr std::string_view name = "fma";
  static constexpr auto rule(const dims& a, const dims& b, const dims& c) -> verdict {
    return addcmul.rule(c, a, b, {});
  }
  static constexpr auto expand(const auto& a, const auto& b, const auto& c) { return addcmul(c, a, b); }
} fma;

}  // namespace ops

template <class... Ts>
  requires detail::accepts_call<struct ops::fma, Ts...>
constexpr auto fma(const Ts&... ts) {
  return ops::fma(ts...);
}

}  // namespace koila::inline v0

// Deleted overloads report a refused call. The name in #line is deliberately not that of a file.
// So compilers quote the user's line instead of a line of this header.
#line 1 "koila's fma"
namespace koila::inline v0 {
template <class A, class B, class C, Attribute... At,
          author::reason Reason = detail::verdict_of<struct ops::fma, A, B, C, At...>::value.reason,
          detail::text Message = detail::verdict_of<struct ops::fma, A, B, C, At...>::sentence()>
  requires(Reason != author::reason::accepted)
auto fma(const detail::shaped<A>&, const detail::shaped<B>&, const detail::shaped<C>&, const At&...)
    -> detail::refused = delete;
template <class... Ts, author::reason Reason = detail::invalid_function_call<struct ops::fma, 3, Ts...>::reason,
          detail::text Message = detail::invalid_function_call<struct ops::fma, 3, Ts...>::sentence()>
auto fma(const Ts&...) -> detail::refused = delete;
}  // namespace koila::inline v0
