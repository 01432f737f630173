// SPDX-License-Identifier: MIT
#pragma once
// clamp: limits x to a range.
#include <koila/ops/common/element_math.hpp>
#include <koila/ops/indexing/where.hpp>
#include <koila/ops/pointwise/clamp_max.hpp>
#include <koila/ops/pointwise/clamp_min.hpp>
#include <koila/ops/reduction/max.hpp>
#include <koila/ops/reduction/min.hpp>

namespace koila::inline v0 {

namespace detail {

/// True if a call of Clamp names its bounds (min = lo, max = hi) and is accepted.
template <class Clamp, class... Ts>
inline constexpr bool bounds_by_name = false;
template <class Clamp, class X, class L>
inline constexpr bool bounds_by_name<Clamp, X, named<struct min, L>> = accepts_call<struct clamp_min, X, L>;
template <class Clamp, class X, class H>
inline constexpr bool bounds_by_name<Clamp, X, named<struct max, H>> = accepts_call<struct clamp_max, X, H>;
template <class Clamp, class X, class L, class H>
inline constexpr bool bounds_by_name<Clamp, X, named<struct min, L>, named<struct max, H>> =
    accepts_call<Clamp, X, L, H>;
template <class Clamp, class X, class L, class H>
inline constexpr bool bounds_by_name<Clamp, X, named<struct max, H>, named<struct min, L>> =
    accepts_call<Clamp, X, L, H>;

}  // namespace detail

/// (...) x (...) x (...) -> (...), broadcast: x limited to [lo, hi], or hi if lo > hi. The bounds
/// are numbers or values. clamp(x, min = lo, max = hi) may be called with one bound or both.
/// Booleans are not accepted.
inline constexpr struct clamp : author::ternary<clamp> {
  static constexpr std::string_view name = "clamp";
  static constexpr auto rule(const dims& x, const dims& lo, const dims& hi) -> verdict {
    const verdict v = ternary<clamp>::rule(x, lo, hi);
    return v.out.type == dtype::boolean ? verdict(reason::no_rule_for_booleans) : v;
  }
  static constexpr auto cost(const dims& x, const dims& lo, const dims& hi, const dims& out) -> op_cost {
    op_cost w = ternary<clamp>::cost(x, lo, hi, out);
    if (lo.number && hi.number) w.workspace = detail::converted(x, out.type);  // the kernel does not convert numbers
    return w;
  }
  template <class... Ts>
  static constexpr bool takes_form = detail::number_between<Ts...> || detail::bounds_by_name<struct clamp, Ts...>;
  using ternary<clamp>::operator();
  template <class X, class L>
    requires detail::accepts_call<struct clamp_min, X, L>
  constexpr auto operator()(const X& x, const detail::named<struct min, L>& lo) const {
    return clamp_min(x, lo.value);
  }
  template <class X, class H>
    requires detail::accepts_call<struct clamp_max, X, H>
  constexpr auto operator()(const X& x, const detail::named<struct max, H>& hi) const {
    return clamp_max(x, hi.value);
  }
  template <class X, class L, class H>
    requires detail::accepts_call<struct clamp, X, L, H>
  constexpr auto operator()(const X& x, const detail::named<struct min, L>& lo,
                            const detail::named<struct max, H>& hi) const {
    return (*this)(x, lo.value, hi.value);
  }
  template <class X, class L, class H>
    requires detail::accepts_call<struct clamp, X, L, H>
  constexpr auto operator()(const X& x, const detail::named<struct max, H>& hi,
                            const detail::named<struct min, L>& lo) const {
    return (*this)(x, lo.value, hi.value);
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& lo, const at::Tensor& hi);
  /// The result is NaN if x, lo or hi is NaN.
  [[gnu::always_inline]] static auto element(auto x, auto lo, auto hi) {
    const auto above = detail::choose(x < lo, lo, x), y = detail::choose(hi < above, hi, above);
    return detail::choose(x != x, x, detail::choose(lo != lo, lo, detail::choose(hi != hi, hi, y)));
  }
  static auto elements() -> detail::all_elements;
  /// As in LibTorch, lo gets no gradient where lo >= hi.
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const auto& lo, const auto& hi) {
    const auto within = where(ge(x, lo), where(le(x, hi), dy, 0), 0);
    const auto below = where(lt(lo, hi), where(lt(x, lo), dy, 0), 0);
    const auto above = where(lt(hi, lo), dy, where(gt(x, hi), dy, 0));
    return gradients(internal::sum_to(within, x), internal::sum_to(below, lo), internal::sum_to(above, hi));
  }
} clamp;

}  // namespace koila::inline v0
