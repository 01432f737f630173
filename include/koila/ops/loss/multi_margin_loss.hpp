// SPDX-License-Identifier: MIT
#pragma once
// multi_margin_loss: penalises classes whose scores are not below the label's score by a margin.
#include <koila/ops/indexing/gather.hpp>
#include <koila/ops/indexing/scatter.hpp>
#include <koila/ops/indexing/unsqueeze.hpp>
#include <koila/ops/indexing/where.hpp>
#include <koila/ops/internal/label_weights.hpp>
#include <koila/ops/loss/margin.hpp>
#include <koila/ops/pointwise/add.hpp>
#include <koila/ops/pointwise/gt.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/precision.hpp>
#include <koila/ops/pointwise/sub.hpp>

namespace koila::inline v0 {

/// (samples, classes) x int64 (samples) -> (), or (samples) with kNone: the sum of max(0, margin -
/// x[label] + x[k])^p over all classes k except the label, divided by the number of classes. The op
/// also takes (classes) x int64 (), and () x int64 () as one class. p is 1 or 2. By default the
/// margin and p are 1. An optional third operand (classes) weights the labels. As in LibTorch, a
/// term that is NaN counts as 0.
inline constexpr struct multi_margin_loss : author::op<multi_margin_loss, 3> {
  static constexpr std::string_view name = "multi_margin_loss";
  struct attributes : detail::wide_margin_attributes {
    attr<double> p = 1;
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const dims& x, const dims& label, const attributes& a) -> verdict {
    if (a.p.known && a.p.value != 1 && a.p.value != 2) return reason::size_out_of_range;
    if (x.number || label.number) return reason::no_rule_for_these_ranks;
    if (!rules::holds(x.type, a.margin)) return reason::number_out_of_range;
    const dims rows = as_rows(x);
    const verdict each = rules::labelled_rows(rows, label);
    if (each.accepted() && rows.ranked() && rows[-1].known() && rows[-1].n == 0) return reason::nothing_to_reduce;
    return rules::reduced(each, a.reduction);
  }
  static constexpr auto rule(const dims& x, const dims& label, const dims& weight, const attributes& a) -> verdict {
    if (const reason no = rules::class_weights(as_rows(x), weight); no != reason::accepted) return no;
    return rule(x, label, a);
  }
  static constexpr auto expand(const auto& x, const auto& label, const attributes& a) {
    return loss_of(x, label, a, [](const auto& terms, const auto&, const auto&) { return terms; });
  }
  static constexpr auto expand(const auto& x, const auto& label, const auto& weight, const attributes& a) {
    return loss_of(x, label, a, [&](const auto& terms, const auto& index, const auto& counts) {
      return where(counts, mul(terms, internal::label_weights(index, detail::wide_operand(weight))), 0);
    });
  }

 private:
  static constexpr auto as_rows(const dims& x) -> dims { return x.rank == 0 ? dims({extent{1}}, x.type) : x; }
  /// Computes the loss. `weighted(terms, index, counts)` must return the terms times the weights of
  /// the labels. `counts` is false for terms that do not count: the term of the label, and terms
  /// that are not positive. `where` sets these terms to 0. A product with 0 would be NaN if the
  /// other factor is infinite.
  static constexpr auto loss_of(const auto& x, const auto& label, const attributes& a, const auto& weighted) {
    const bool is_one_class = dims_of(x).rank == 0;
    return detail::widened(x, [&](const auto& v) {
      const auto rows = is_one_class ? unsqueeze(v, 0) : v;
      const auto index = unsqueeze(label, -1);
      const auto excess = add(sub(a.margin.value, koila::gather(rows, index, dim = -1_c)), rows);
      const auto counts = scatter(gt(excess, 0), index, 0, dim = -1_c);
      const auto hinge = where(counts, excess, 0);
      const auto terms = weighted(a.p.value == 2 ? mul(hinge, hinge) : hinge, index, counts);
      return detail::reduce(mean(terms, dim = -1_c), a.reduction);
    });
  }
} multi_margin_loss;

}  // namespace koila::inline v0
