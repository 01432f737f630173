// SPDX-License-Identifier: MIT
#pragma once
// fmax: the larger of a and b, ignoring NaN.
#include <koila/ops/indexing/where.hpp>
#include <koila/ops/internal/sum_to.hpp>
#include <koila/ops/pointwise/ge.hpp>
#include <koila/ops/pointwise/logical_or.hpp>
#include <koila/ops/pointwise/ne.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) x (...) -> (...), broadcast: the larger of a and b. If one operand is NaN, the result is
/// the other operand.
inline constexpr struct fmax : binary<fmax> {
  static constexpr std::string_view name = "fmax";
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& a, const auto& b) {
    const auto first = logical_or(ge(a, b), ne(b, b));  // true where the result is a
    return gradients(internal::sum_to(where(first, dy, 0), a), internal::sum_to(where(first, 0, dy), b));
  }
} fmax;

}  // namespace ops

template <class... Ts>
  requires detail::accepts_call<struct ops::fmax, Ts...>
constexpr auto fmax(const Ts&... ts) {
  return ops::fmax(ts...);
}

}  // namespace koila::inline v0

// Deleted overloads report a refused call. The name in #line is deliberately not that of a file.
// So compilers quote the user's line instead of a line of this header.
#line 1 "koila's fmax"
namespace koila::inline v0 {
template <class A, class B, Attribute... At,
          author::reason Reason = detail::verdict_of<struct ops::fmax, A, B, At...>::value.reason,
          detail::text Message = detail::verdict_of<struct ops::fmax, A, B, At...>::sentence()>
  requires(Reason != author::reason::accepted)
auto fmax(const detail::shaped<A>&, const detail::shaped<B>&, const At&...) -> detail::refused = delete;
template <class... Ts, author::reason Reason = detail::invalid_function_call<struct ops::fmax, 2, Ts...>::reason,
          detail::text Message = detail::invalid_function_call<struct ops::fmax, 2, Ts...>::sentence()>
auto fmax(const Ts&...) -> detail::refused = delete;
}  // namespace koila::inline v0
