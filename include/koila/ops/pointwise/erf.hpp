// SPDX-License-Identifier: MIT
#pragma once
// erf: the error function of x.
#include <koila/ops/common/element_math.hpp>
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/exp.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/neg.hpp>
#include <koila/ops/pointwise/operators.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) -> (...): the error function of x. Integers become float32.
inline constexpr struct erf : unary_floating<erf> {
  static constexpr std::string_view name = "erf";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  [[gnu::always_inline]] static auto element(float x) -> float { return detail::erf_of(x); }
  static auto elements() -> detail::float_elements;
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) {
    return gradients(dy * (ops::exp(-(x * x)) * 1.12837916709551257390));
  }
} erf;

}  // namespace ops

template <class... Ts>
  requires detail::accepts_call<struct ops::erf, Ts...>
constexpr auto erf(const Ts&... ts) {
  return ops::erf(ts...);
}

}  // namespace koila::inline v0

// Deleted overloads report a refused call. The name in #line is deliberately not that of a file.
// So compilers quote the user's line instead of a line of this header.
#line 1 "koila's erf"
namespace koila::inline v0 {
template <class X, Attribute... As, author::reason Reason = detail::verdict_of<struct ops::erf, X, As...>::value.reason,
          detail::text Message = detail::verdict_of<struct ops::erf, X, As...>::sentence()>
  requires(Reason != author::reason::accepted)
auto erf(const detail::shaped<X>&, const As&...) -> detail::refused = delete;
template <class... Ts, author::reason Reason = detail::invalid_function_call<struct ops::erf, 1, Ts...>::reason,
          detail::text Message = detail::invalid_function_call<struct ops::erf, 1, Ts...>::sentence()>
auto erf(const Ts&...) -> detail::refused = delete;
}  // namespace koila::inline v0
