// SPDX-License-Identifier: MIT
#pragma once
// cosh: the hyperbolic cosine of x.
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/operators.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

struct sinh;

/// (...) -> (...): the hyperbolic cosine of x. Integers become float32.
inline constexpr struct cosh : unary_floating<cosh> {
  static constexpr std::string_view name = "cosh";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) {
    return gradients(dy * detail::call<struct sinh>(x));
  }
} cosh;

}  // namespace ops

template <class... Ts>
  requires detail::accepts_call<struct ops::cosh, Ts...>
constexpr auto cosh(const Ts&... ts) {
  return ops::cosh(ts...);
}

}  // namespace koila::inline v0

#include <koila/ops/pointwise/sinh.hpp>

// Deleted overloads report a refused call. The name in #line is deliberately not that of a file.
// So compilers quote the user's line instead of a line of this header.
#line 1 "koila's cosh"
namespace koila::inline v0 {
template <class X, Attribute... As,
          author::reason Reason = detail::verdict_of<struct ops::cosh, X, As...>::value.reason,
          detail::text Message = detail::verdict_of<struct ops::cosh, X, As...>::sentence()>
  requires(Reason != author::reason::accepted)
auto cosh(const detail::shaped<X>&, const As&...) -> detail::refused = delete;
template <class... Ts, author::reason Reason = detail::invalid_function_call<struct ops::cosh, 1, Ts...>::reason,
          detail::text Message = detail::invalid_function_call<struct ops::cosh, 1, Ts...>::sentence()>
auto cosh(const Ts&...) -> detail::refused = delete;
}  // namespace koila::inline v0
