#pragma once
// isinf: whether x is infinite.
#include <koila/ops/family/elementwise.hpp>

namespace koila {

namespace ops {  // C has this name

/// (...) -> bool (...): whether x is infinite, of either sign.
inline constexpr struct isinf : unary_predicate<isinf> {
  static constexpr std::string_view name = "isinf";
  /// The workspace is the answer for minus infinity.
  static constexpr auto cost(const dims& x, const dims& out) -> work {
    return {2 * static_cast<double>(out.count()), 2 * static_cast<double>(x.bytes() + out.bytes()), out.bytes()};
  }
  static void evaluate(out y, const at::Tensor& x);
} isinf;

}  // namespace ops

template <class... Ts>
  requires detail::accepts_call<struct ops::isinf, Ts...>
constexpr auto isinf(const Ts&... ts) {
  return ops::isinf(ts...);
}

}  // namespace koila

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/family/definitions.hpp>

#include <ATen/ops/isneginf_ops.h>
#include <ATen/ops/isposinf_ops.h>
#include <ATen/ops/logical_or_ops.h>

namespace koila {

// Not isinf_out, which takes the absolute value and the answer as temporaries.
KOILA_INLINE void ops::isinf::evaluate(out y, const at::Tensor& x) {
  const at::Tensor below = at::_ops::isneginf::call(x);
  at::_ops::isposinf_out::call(x, y);
  at::_ops::logical_or_out::call(y, below, y);
}

}  // namespace koila
#endif

// The refusal, under a name that is no file: see op.hpp.
#line 1 "koila's isinf"
namespace koila {
template <class X, Attribute... As, why Reason = verdict_of<struct ops::isinf, X, As...>::value.reason,
          text Says = verdict_of<struct ops::isinf, X, As...>::sentence()>
  requires(Reason != why::accepted)
auto isinf(const shaped<X>&, const As&...) -> refused = delete;
template <class... Ts, why Reason = detail::misuse_of_function<struct ops::isinf, 1, Ts...>::reason,
          text Says = detail::misuse_of_function<struct ops::isinf, 1, Ts...>::sentence()>
auto isinf(const Ts&...) -> refused = delete;
}  // namespace koila
