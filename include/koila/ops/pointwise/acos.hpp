// SPDX-License-Identifier: MIT
#pragma once
// acos: the angle whose cosine is x.
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/neg.hpp>
#include <koila/ops/pointwise/operators.hpp>
#include <koila/ops/pointwise/rsqrt.hpp>
#include <koila/ops/pointwise/sub.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) -> (...): the angle whose cosine is x. Integers become float32.
inline constexpr struct acos : unary_floating<acos> {
  static constexpr std::string_view name = "acos";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) {
    return gradients(-(dy * rsqrt(1 - x * x)));
  }
} acos;

}  // namespace ops

template <class... Ts>
  requires detail::accepts_call<struct ops::acos, Ts...>
constexpr auto acos(const Ts&... ts) {
  return ops::acos(ts...);
}

}  // namespace koila::inline v0

// Deleted overloads report a refused call. The name in #line is deliberately not that of a file.
// So compilers quote the user's line instead of a line of this header.
#line 1 "koila's acos"
namespace koila::inline v0 {
template <class X, Attribute... As,
          author::reason Reason = detail::verdict_of<struct ops::acos, X, As...>::value.reason,
          detail::text Message = detail::verdict_of<struct ops::acos, X, As...>::sentence()>
  requires(Reason != author::reason::accepted)
auto acos(const detail::shaped<X>&, const As&...) -> detail::refused = delete;
template <class... Ts, author::reason Reason = detail::invalid_function_call<struct ops::acos, 1, Ts...>::reason,
          detail::text Message = detail::invalid_function_call<struct ops::acos, 1, Ts...>::sentence()>
auto acos(const Ts&...) -> detail::refused = delete;
}  // namespace koila::inline v0
