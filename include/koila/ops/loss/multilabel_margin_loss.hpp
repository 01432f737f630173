// SPDX-License-Identifier: MIT
#pragma once
// multilabel_margin_loss: penalises other classes whose scores are not below the target classes'
// scores by a margin of 1.
#include <koila/ops/indexing/unsqueeze.hpp>
#include <koila/ops/internal/multilabel_margin.hpp>
#include <koila/ops/loss/loss.hpp>
#include <koila/ops/pointwise/precision.hpp>

namespace koila::inline v0 {

/// (samples, classes) x int64 (samples, classes) -> (), or (samples) with kNone: the sum of max(0,
/// 1 - x[j] + x[k]) over all classes j in the target and all classes k that are not in the target,
/// divided by the number of classes. The target holds class indices and ends at the first -1. The
/// op also takes (classes) x int64 (classes), and () x int64 () as one class. As in LibTorch, a
/// term that is NaN counts as 0.
inline constexpr struct multilabel_margin_loss : author::op<multilabel_margin_loss, 2> {
  static constexpr std::string_view name = "multilabel_margin_loss";
  using attributes = detail::loss_attributes;
  static constexpr auto rule(const dims& x, const dims& target, const attributes& a) -> verdict {
    if (x.number || target.number) return reason::no_rule_for_these_ranks;
    const auto as_rows = [](const dims& d) { return d.rank == 0 ? dims({extent{1}}, d.type) : d; };
    return rules::reduced(rules::multilabelled(as_rows(x), as_rows(target)), a.reduction);
  }
  static constexpr auto expand(const auto& x, const auto& target, const attributes& a) {
    const auto as_rows = [](const auto& v, int rank) { return rank == 0 ? unsqueeze(v, 0) : v; };
    const int rank = dims_of(x).rank, of_target = dims_of(target).rank;
    return detail::widened(x, [&](const auto& v) {
      return detail::reduce(internal::multilabel_margin(as_rows(v, rank), as_rows(target, of_target)), a.reduction);
    });
  }
} multilabel_margin_loss;

}  // namespace koila::inline v0
