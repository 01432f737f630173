#pragma once
// fma: fused multiply-add.
#include <koila/ops/addcmul.hpp>

namespace koila {

namespace ops {  // C has an fma

/// (...) x (...) x (...) -> (...), broadcast: a b + c.
inline constexpr struct fma : ternary<fma> {
  static constexpr std::string_view name = "fma";
  static constexpr auto rule(const dims& a, const dims& b, const dims& c) -> verdict {
    return addcmul.rule(c, a, b, {});
  }
  static constexpr auto expand(const auto& a, const auto& b, const auto& c) { return addcmul(c, a, b); }
} fma;

}  // namespace ops

template <class... Ts>
  requires detail::accepts_call<struct ops::fma, Ts...>
constexpr auto fma(const Ts&... ts) {
  return ops::fma(ts...);
}

}  // namespace koila

// The refusal, under a name that is no file: see op.hpp.
#line 1 "koila's fma"
namespace koila {
template <class A, class B, class C, Attribute... At,
          why Reason = verdict_of<struct ops::fma, A, B, C, At...>::value.reason,
          text Says = verdict_of<struct ops::fma, A, B, C, At...>::sentence()>
  requires(Reason != why::accepted)
auto fma(const shaped<A>&, const shaped<B>&, const shaped<C>&, const At&...) -> refused = delete;
template <class... Ts, why Reason = detail::misuse_of_function<struct ops::fma, 3, Ts...>::reason,
          text Says = detail::misuse_of_function<struct ops::fma, 3, Ts...>::sentence()>
auto fma(const Ts&...) -> refused = delete;
}  // namespace koila
