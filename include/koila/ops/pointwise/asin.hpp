// SPDX-License-Identifier: MIT
#pragma once
// asin: the angle whose sine is x.
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/operators.hpp>
#include <koila/ops/pointwise/rsqrt.hpp>
#include <koila/ops/pointwise/sub.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) -> (...): the angle whose sine is x. Integers become float32.
inline constexpr struct asin : unary_floating<asin> {
  static constexpr std::string_view name = "asin";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) {
    return gradients(dy * rsqrt(1 - x * x));
  }
} asin;

}  // namespace ops

template <class... Ts>
  requires detail::accepts_call<struct ops::asin, Ts...>
constexpr auto asin(const Ts&... ts) {
  return ops::asin(ts...);
}

}  // namespace koila::inline v0

// Deleted overloads report a refused call. The name in #line is deliberately not that of a file.
// So compilers quote the user's line instead of a line of this header.
#line 1 "koila's asin"
namespace koila::inline v0 {
template <class X, Attribute... As,
          author::reason Reason = detail::verdict_of<struct ops::asin, X, As...>::value.reason,
          detail::text Message = detail::verdict_of<struct ops::asin, X, As...>::sentence()>
  requires(Reason != author::reason::accepted)
auto asin(const detail::shaped<X>&, const As&...) -> detail::refused = delete;
template <class... Ts, author::reason Reason = detail::invalid_function_call<struct ops::asin, 1, Ts...>::reason,
          detail::text Message = detail::invalid_function_call<struct ops::asin, 1, Ts...>::sentence()>
auto asin(const Ts&...) -> detail::refused = delete;
}  // namespace koila::inline v0
