// SPDX-License-Identifier: MIT
#pragma once
// margin_ranking_loss: penalises two values that are in the wrong order.
#include <koila/ops/internal/hinge.hpp>
#include <koila/ops/loss/margin.hpp>
#include <koila/ops/pointwise/add.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/neg.hpp>
#include <koila/ops/pointwise/sub.hpp>

namespace koila::inline v0 {

/// (...) x (...) x (...) -> (), or (...) with kNone, broadcast: max(0, margin - t * (x - y)). The
/// target t is 1 where x should be larger than y, and -1 where y should be larger than x.
inline constexpr struct margin_ranking_loss : author::op<margin_ranking_loss, 3> {
  static constexpr std::string_view name = "margin_ranking_loss";
  using attributes = detail::margin_attributes;
  static constexpr auto rule(const dims& x, const dims& y, const dims& target, const attributes& a) -> verdict {
    if (target.type == dtype::uint8) return reason::no_rule_for_these_dtypes;  // uint8 has no -1
    // If one of x and y is a floating-point number and the other holds integers, x - y is float32,
    // whatever the dtype of the target is.
    const verdict off = rules::broadcast(x, y, result_type(x, y));
    if (!off.accepted()) return off;
    return rules::reduced(rules::broadcast(off.out, target, result_type(off.out, target)), a.reduction);
  }
  static constexpr auto expand(const auto& x, const auto& y, const auto& target, const attributes& a) {
    return detail::reduce(internal::hinge(add(mul(neg(target), sub(x, y)), a.margin.value)), a.reduction);
  }
} margin_ranking_loss;

}  // namespace koila::inline v0
