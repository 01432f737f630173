// SPDX-License-Identifier: MIT
#pragma once
// gaussian_nll_loss: the negative log-likelihood of values under a normal distribution.
#include <koila/ops/indexing/expand_like.hpp>
#include <koila/ops/indexing/unsqueeze.hpp>
#include <koila/ops/indexing/where.hpp>
#include <koila/ops/loss/likelihood.hpp>
#include <koila/ops/pointwise/add.hpp>
#include <koila/ops/pointwise/detach.hpp>
#include <koila/ops/pointwise/div.hpp>
#include <koila/ops/pointwise/log.hpp>
#include <koila/ops/pointwise/lt.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/sub.hpp>

namespace koila::inline v0 {

/// (..., n) x (..., n) x variance -> (), or (..., n) with kNone: (log(v) + (x - y)^2 / v) / 2,
/// where v is the variance. `full` adds log(2 * pi) / 2. The variance is a number, or a
/// floating-point value with dims (..., n), (..., 1) or (...). A variance below `eps` (1e-6) counts
/// as eps and gets the gradient at eps, as in LibTorch. A negative variance also counts as eps,
/// whereas LibTorch's Python interface throws.
inline constexpr struct gaussian_nll_loss : author::op<gaussian_nll_loss, 3> {
  static constexpr std::string_view name = "gaussian_nll_loss";
  struct attributes : detail::loss_attributes {
    attr<bool> full = false;
    attr<double> eps = 1e-6;
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const dims& x, const dims& y, const dims& variance, const attributes& a) -> verdict {
    const verdict both = rules::equal_dims(x, y);
    if (!both.accepted()) return both;
    if (!variance.number && !rules::may_float(variance.type)) return reason::not_a_floating_type;
    if (!variance.number && !rules::holds(variance.type, a.eps)) return reason::number_out_of_range;
    const dims& d = both.out;
    const dims out = d.with(result_type(x, y, variance));
    if (variance.number || !d.ranked() || !variance.ranked()) return rules::reduced(out, a.reduction);
    dims last_is_one = d;
    if (d.rank > 0) last_is_one[-1] = extent{1};
    const bool fits =
        rules::same_shape(d, variance) != detail::tristate::no ||
        (d.rank > 0 && (rules::same_shape(last_is_one, variance) != detail::tristate::no ||
                        rules::same_shape(rules::drop(d, d.rank - 1, false), variance) != detail::tristate::no));
    return fits ? rules::reduced(out, a.reduction) : verdict(reason::shapes_differ);
  }
  static constexpr auto expand(const auto& x, const auto& y, const auto& variance, const attributes& a) {
    const dims v = dims_of(variance);
    const bool per_vector = !v.number && v.rank + 1 == dims_of(x).rank;
    const auto off = sub(x, y);
    const auto given = v.number     ? expand_like(variance, detail::call_with<struct internal::to_dtype>(
                                                            {result_type(dims_of(x), dims_of(y), v)}, off))
                       : per_vector ? unsqueeze(variance, -1_c)
                                    : variance;
    const auto held = where(lt(given, a.eps.value), add(sub(given, detach(given)), a.eps.value), given);
    // If one of x and y is a floating-point number and the other holds integers, `off` is float32,
    // whatever the dtype of the variance is.
    const auto loss = detail::call_with<struct internal::to_dtype>(
        {result_type(dims_of(x), dims_of(y), v)}, mul(add(ops::log(held), ops::div(mul(off, off), held)), 0.5));
    return detail::reduce(a.full.value ? add(loss, 0.5 * detail::log_two_pi) : loss, a.reduction);
  }
} gaussian_nll_loss;

}  // namespace koila::inline v0
