// SPDX-License-Identifier: MIT
#pragma once
// erfc: 1 minus the error function of x.
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/exp.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/neg.hpp>
#include <koila/ops/pointwise/operators.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) -> (...): 1 minus the error function of x. Integers become float32.
inline constexpr struct erfc : unary_floating<erfc> {
  static constexpr std::string_view name = "erfc";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) {
    return gradients(dy * (ops::exp(-(x * x)) * -1.12837916709551257390));
  }
} erfc;

}  // namespace ops

template <class... Ts>
  requires detail::accepts_call<struct ops::erfc, Ts...>
constexpr auto erfc(const Ts&... ts) {
  return ops::erfc(ts...);
}

}  // namespace koila::inline v0

// Deleted overloads report a refused call. The name in #line is deliberately not that of a file.
// So compilers quote the user's line instead of a line of this header.
#line 1 "koila's erfc"
namespace koila::inline v0 {
template <class X, Attribute... As,
          author::reason Reason = detail::verdict_of<struct ops::erfc, X, As...>::value.reason,
          detail::text Message = detail::verdict_of<struct ops::erfc, X, As...>::sentence()>
  requires(Reason != author::reason::accepted)
auto erfc(const detail::shaped<X>&, const As&...) -> detail::refused = delete;
template <class... Ts, author::reason Reason = detail::invalid_function_call<struct ops::erfc, 1, Ts...>::reason,
          detail::text Message = detail::invalid_function_call<struct ops::erfc, 1, Ts...>::sentence()>
auto erfc(const Ts&...) -> detail::refused = delete;
}  // namespace koila::inline v0
