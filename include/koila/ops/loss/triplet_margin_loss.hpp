// SPDX-License-Identifier: MIT
#pragma once
// triplet_margin_loss: penalises an anchor that is not nearer to the positive than to the negative.
#include <koila/ops/activation/relu.hpp>
#include <koila/ops/internal/hinge.hpp>
#include <koila/ops/loss/margin.hpp>
#include <koila/ops/pointwise/add.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/precision.hpp>
#include <koila/ops/pointwise/sub.hpp>
#include <koila/ops/reduction/norm.hpp>

namespace koila::inline v0 {

/// (..., n) x (..., n) x (..., n) -> (), or (...) with kNone, broadcast: max(0, margin + d(anchor,
/// positive) - d(anchor, negative)), where d(x, y) is the p-norm of x - y + eps. By default the
/// margin is 1, p is 2 and eps is 1e-6.
inline constexpr struct triplet_margin_loss : author::op<triplet_margin_loss, 3> {
  static constexpr std::string_view name = "triplet_margin_loss";
  struct attributes : detail::wide_margin_attributes {
    attr<double> p = 2, eps = 1e-6;
    attr<bool> swap = false;
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const dims& anchor, const dims& positive, const dims& unlike, const attributes& a)
      -> verdict {
    if (a.p.known && !(a.p.value > 0)) return reason::size_out_of_range;
    for (const dims* d : {&anchor, &positive, &unlike}) {
      if (!rules::may_float(d->type)) return reason::not_a_floating_type;
      if (d->number || (d->ranked() && anchor.ranked() && d->rank != anchor.rank))
        return reason::no_rule_for_these_ranks;
    }
    if (positive.ranked() && unlike.ranked() && positive.rank != unlike.rank) return reason::no_rule_for_these_ranks;
    const verdict v = rules::broadcast_all(anchor, positive, unlike);
    if (!v.accepted() || !v.out.ranked()) return rules::reduced(v, a.reduction);
    if (v.out.rank == 0) return reason::no_rule_for_these_ranks;
    return rules::reduced(rules::drop(v.out, v.out.rank - 1, false), a.reduction);
  }
  static constexpr auto expand(const auto& anchor, const auto& positive, const auto& unlike, const attributes& a) {
    return detail::rounded_once(result_type(dims_of(anchor), dims_of(positive), dims_of(unlike)), [&] {
      const auto x = detail::wide_operand(anchor), y = detail::wide_operand(positive), z = detail::wide_operand(unlike);
      const auto near = distance(x, y, a), far = distance(x, z, a);
      const auto least = a.swap.value ? smaller(far, distance(y, z, a)) : far;
      return detail::reduce(internal::hinge(sub(add(near, a.margin.value), least)), a.reduction);
    });
  }

 private:
  /// The smaller of x and y. If x and y are equal, each of them gets half the gradient, as in
  /// LibTorch.
  static constexpr auto smaller(const auto& x, const auto& y) {
    const auto more = sub(x, y);
    return sub(x, mul(add(relu(more), internal::hinge(more)), 0.5));
  }
  static constexpr auto distance(const auto& x, const auto& y, const attributes& a) {
    return norm(add(sub(x, y), a.eps.value), ops::p = a.p, dim = -1_c);
  }
} triplet_margin_loss;

}  // namespace koila::inline v0
