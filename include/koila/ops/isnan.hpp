#pragma once
// isnan: whether x is not a number.
#include <koila/ops/family/elementwise.hpp>

namespace koila {

namespace ops {  // C has this name

/// (...) -> bool (...): whether x is not a number.
inline constexpr struct isnan : unary_predicate<isnan> {
  static constexpr std::string_view name = "isnan";
  static void evaluate(out y, const at::Tensor& x);
} isnan;

}  // namespace ops

template <class... Ts>
  requires detail::accepts_call<struct ops::isnan, Ts...>
constexpr auto isnan(const Ts&... ts) {
  return ops::isnan(ts...);
}

}  // namespace koila

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/family/definitions.hpp>

#include <ATen/ops/ne_ops.h>

namespace koila {

// Not isnan_out, which takes a whole temporary for this.
KOILA_INLINE void ops::isnan::evaluate(out y, const at::Tensor& x) { at::_ops::ne_Tensor_out::call(x, x, y); }

}  // namespace koila
#endif

// The refusal, under a name that is no file: see op.hpp.
#line 1 "koila's isnan"
namespace koila {
template <class X, Attribute... As, why Reason = verdict_of<struct ops::isnan, X, As...>::value.reason,
          text Says = verdict_of<struct ops::isnan, X, As...>::sentence()>
  requires(Reason != why::accepted)
auto isnan(const shaped<X>&, const As&...) -> refused = delete;
template <class... Ts, why Reason = detail::misuse_of_function<struct ops::isnan, 1, Ts...>::reason,
          text Says = detail::misuse_of_function<struct ops::isnan, 1, Ts...>::sentence()>
auto isnan(const Ts&...) -> refused = delete;
}  // namespace koila
