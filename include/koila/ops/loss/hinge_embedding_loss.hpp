// SPDX-License-Identifier: MIT
#pragma once
// hinge_embedding_loss: a loss for distances that should be small, or larger than a margin.
#include <koila/ops/indexing/where.hpp>
#include <koila/ops/internal/hinge.hpp>
#include <koila/ops/loss/margin.hpp>
#include <koila/ops/pointwise/add.hpp>
#include <koila/ops/pointwise/ne.hpp>
#include <koila/ops/pointwise/sub.hpp>

namespace koila::inline v0 {

/// (...) x (...) -> (), or (...) with kNone, broadcast: x where the target is 1, max(0, margin -
/// x) where the target is -1. The margin is 1 by default.
inline constexpr struct hinge_embedding_loss
    : detail::loss_of_broadcast<hinge_embedding_loss, detail::wide_margin_attributes> {
  static constexpr std::string_view name = "hinge_embedding_loss";
  static constexpr auto rule(const dims& x, const dims& target, const attributes& a) -> verdict {
    const dtype type = x.number ? result_type(x) : x.type;
    if (!rules::holds(type, a.margin)) return reason::number_out_of_range;
    return rules::reduced(rules::broadcast(x, target, type), a.reduction);
  }
  static constexpr auto each(const auto& x, const auto& target, const attributes& a) {
    return add(where(ne(target, 1), internal::hinge(sub(a.margin.value, x)), 0), where(ne(target, -1), x, 0));
  }
} hinge_embedding_loss;

}  // namespace koila::inline v0
