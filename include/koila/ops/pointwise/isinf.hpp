// SPDX-License-Identifier: MIT
#pragma once
// isinf: whether x is infinite.
#include <koila/ops/pointwise/elementwise.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) -> bool (...): whether x is infinity or minus infinity.
inline constexpr struct isinf : unary_predicate<isinf> {
  static constexpr std::string_view name = "isinf";
  /// The workspace holds the result for minus infinity.
  static constexpr auto cost(const dims& x, const dims& out) -> op_cost {
    return {2 * static_cast<double>(out.count()), 2 * static_cast<double>(x.bytes() + out.bytes()), out.bytes()};
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x);
} isinf;

}  // namespace ops

template <class... Ts>
  requires detail::accepts_call<struct ops::isinf, Ts...>
constexpr auto isinf(const Ts&... ts) {
  return ops::isinf(ts...);
}

}  // namespace koila::inline v0

// Deleted overloads report a refused call. The name in #line is deliberately not that of a file.
// So compilers quote the user's line instead of a line of this header.
#line 1 "koila's isinf"
namespace koila::inline v0 {
template <class X, Attribute... As,
          author::reason Reason = detail::verdict_of<struct ops::isinf, X, As...>::value.reason,
          detail::text Message = detail::verdict_of<struct ops::isinf, X, As...>::sentence()>
  requires(Reason != author::reason::accepted)
auto isinf(const detail::shaped<X>&, const As&...) -> detail::refused = delete;
template <class... Ts, author::reason Reason = detail::invalid_function_call<struct ops::isinf, 1, Ts...>::reason,
          detail::text Message = detail::invalid_function_call<struct ops::isinf, 1, Ts...>::sentence()>
auto isinf(const Ts&...) -> detail::refused = delete;
}  // namespace koila::inline v0
