// SPDX-License-Identifier: MIT
#pragma once
// atan2: the angle of the point (b, a).
#include <koila/ops/indexing/where.hpp>
#include <koila/ops/pointwise/add.hpp>
#include <koila/ops/pointwise/div.hpp>
#include <koila/ops/pointwise/eq.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) x (...) -> (...), broadcast: the angle of the point (b, a), from -pi to pi. Integers
/// become float32.
inline constexpr struct atan2 : detail::binary_by_libm<atan2> {
  static constexpr std::string_view name = "atan2";
  static constexpr auto rule(const dims& a, const dims& b) -> verdict {
    return rules::broadcast(a, b, rules::floating(result_type(a, b)));
  }
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& a, const auto& b) {
    const auto square = add(mul(a, a), mul(b, b));
    const auto per_square = where(eq(square, 0), 0, div(dy, square));  // the gradient is 0 at the point (0, 0)
    return gradients(internal::sum_to(mul(per_square, b), a), internal::sum_to(neg(mul(per_square, a)), b));
  }
} atan2;

}  // namespace ops

template <class... Ts>
  requires detail::accepts_call<struct ops::atan2, Ts...>
constexpr auto atan2(const Ts&... ts) {
  return ops::atan2(ts...);
}

}  // namespace koila::inline v0

// Deleted overloads report a refused call. The name in #line is deliberately not that of a file.
// So compilers quote the user's line instead of a line of this header.
#line 1 "koila's atan2"
namespace koila::inline v0 {
template <class A, class B, Attribute... At,
          author::reason Reason = detail::verdict_of<struct ops::atan2, A, B, At...>::value.reason,
          detail::text Message = detail::verdict_of<struct ops::atan2, A, B, At...>::sentence()>
  requires(Reason != author::reason::accepted)
auto atan2(const detail::shaped<A>&, const detail::shaped<B>&, const At&...) -> detail::refused = delete;
template <class... Ts, author::reason Reason = detail::invalid_function_call<struct ops::atan2, 2, Ts...>::reason,
          detail::text Message = detail::invalid_function_call<struct ops::atan2, 2, Ts...>::sentence()>
auto atan2(const Ts&...) -> detail::refused = delete;
}  // namespace koila::inline v0
