#pragma once
// isfinite: whether x is a number and not infinite.
#include <koila/ops/isnan.hpp>
#include <koila/ops/logical_not.hpp>
#include <koila/ops/mul.hpp>

namespace koila {

namespace ops {  // C has this name

/// (...) -> bool (...): whether x is a number and not infinite. Such a number times 0 is 0, any
/// other is nan.
inline constexpr struct isfinite : unary_predicate<isfinite> {
  static constexpr std::string_view name = "isfinite";
  static constexpr auto expand(const auto& x) { return logical_not(ops::isnan(mul(x, 0))); }
} isfinite;

}  // namespace ops

template <class... Ts>
  requires detail::accepts_call<struct ops::isfinite, Ts...>
constexpr auto isfinite(const Ts&... ts) {
  return ops::isfinite(ts...);
}

}  // namespace koila

// The refusal, under a name that is no file: see op.hpp.
#line 1 "koila's isfinite"
namespace koila {
template <class X, Attribute... As, why Reason = verdict_of<struct ops::isfinite, X, As...>::value.reason,
          text Says = verdict_of<struct ops::isfinite, X, As...>::sentence()>
  requires(Reason != why::accepted)
auto isfinite(const shaped<X>&, const As&...) -> refused = delete;
template <class... Ts, why Reason = detail::misuse_of_function<struct ops::isfinite, 1, Ts...>::reason,
          text Says = detail::misuse_of_function<struct ops::isfinite, 1, Ts...>::sentence()>
auto isfinite(const Ts&...) -> refused = delete;
}  // namespace koila
