#pragma once
// div: a / b, true division.
#include <koila/ops/family/elementwise.hpp>
#include <koila/ops/mul.hpp>
#include <koila/ops/neg.hpp>
#include <koila/ops/sum_to.hpp>

namespace koila {

namespace ops {  // C has a div

/// (...) x (...) -> (...), broadcast: a / b; integers become float32.
inline constexpr struct div : binary<div> {
  static constexpr std::string_view name = "div";
  static constexpr auto rule(const dims& a, const dims& b) -> verdict {
    return rules::broadcast(a, b, rules::floating(result_type(a, b)));
  }
  static constexpr auto fold(double a, double b) -> double { return a / b; }
  static void evaluate(out y, const at::Tensor& a, const at::Tensor& b);
  static constexpr auto gradient(const auto& dy, const auto& y, const auto& a, const auto& b) {
    return gradients(sum_to(div{}(dy, b), a), sum_to(neg(div{}(mul(dy, y), b)), b));
  }
} div;

}  // namespace ops

template <class... Ts>
  requires detail::accepts_call<struct ops::div, Ts...>
constexpr auto div(const Ts&... ts) {
  return ops::div(ts...);
}

}  // namespace koila

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/family/definitions.hpp>

#include <ATen/ops/div_ops.h>

namespace koila {

KOILA_INLINE void ops::div::evaluate(out y, const at::Tensor& a, const at::Tensor& b) { at::_ops::div_out::call(a, b, y); }

}  // namespace koila
#endif

// The refusal, under a name that is no file: see op.hpp.
#line 1 "koila's div"
namespace koila {
template <class A, class B, why Reason = verdict_of<struct ops::div, A, B>::value.reason,
          text Says = verdict_of<struct ops::div, A, B>::sentence()>
  requires(Reason != why::accepted)
auto div(const shaped<A>&, const shaped<B>&) -> refused = delete;
}  // namespace koila
