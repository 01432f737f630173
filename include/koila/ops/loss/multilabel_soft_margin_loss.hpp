// SPDX-License-Identifier: MIT
#pragma once
// multilabel_soft_margin_loss: the mean over the classes of the binary cross entropy of sigmoid(x).
#include <koila/ops/activation/softplus.hpp>
#include <koila/ops/loss/loss.hpp>
#include <koila/ops/pointwise/add.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/neg.hpp>
#include <koila/ops/pointwise/sub.hpp>

namespace koila::inline v0 {

/// (..., classes) x (..., classes) -> (), or (...) with kNone: the mean over the classes of
/// -(y * log(s) + (1 - y) * log(1 - s)) with s = sigmoid(x). The target y is 1 for each class of
/// the sample, and 0 for the other classes. An optional third operand weights the losses of the
/// classes. It is broadcast to (..., classes).
inline constexpr struct multilabel_soft_margin_loss : author::op<multilabel_soft_margin_loss, 3> {
  static constexpr std::string_view name = "multilabel_soft_margin_loss";
  using attributes = detail::loss_attributes;
  static constexpr auto rule(const dims& x, const dims& y, const attributes& a) -> verdict {
    return over_classes(of_logits(x, y), a);
  }
  static constexpr auto rule(const dims& x, const dims& y, const dims& weight, const attributes& a) -> verdict {
    return over_classes(weighted(of_logits(x, y), weight), a);
  }
  static constexpr auto expand(const auto& x, const auto& y, const attributes& a) {
    return detail::reduce(mean(each(x, y), dim = -1_c), a.reduction);
  }
  static constexpr auto expand(const auto& x, const auto& y, const auto& weight, const attributes& a) {
    return detail::reduce(mean(mul(each(x, y), weight), dim = -1_c), a.reduction);
  }

 private:
  static constexpr auto of_logits(const dims& x, const dims& y) -> verdict {
    if (!rules::may_float(x.type)) return reason::not_a_floating_type;
    if (y.type == dtype::boolean) return reason::no_rule_for_booleans;
    return rules::equal_dims(x, y);
  }
  /// Unlike rules::weighted, this rule promotes the dtypes, as LibTorch does.
  static constexpr auto weighted(const verdict& each, const dims& weight) -> verdict {
    if (!each.accepted()) return each;
    const verdict v = rules::broadcast(each.out, weight);
    if (!v.accepted() || rules::same_shape(v.out, each.out) == detail::tristate::no) return reason::not_broadcastable;
    return v;
  }
  static constexpr auto over_classes(const verdict& each, const attributes& a) -> verdict {
    if (!each.accepted() || !each.out.ranked()) return rules::reduced(each, a.reduction);
    if (each.out.rank == 0) return reason::no_rule_for_these_ranks;
    return rules::reduced(rules::drop(each.out, each.out.rank - 1, false), a.reduction);
  }
  /// -log(sigmoid(x)) is softplus(-x), and -log(1 - sigmoid(x)) is softplus(x). The threshold is
  /// 40, because log(1 + e^x) equals x for x > 40 even in float64.
  static constexpr auto each(const auto& x, const auto& y) {
    return add(mul(y, softplus(neg(x), 1, 40)), mul(sub(1, y), softplus(x, 1, 40)));
  }
} multilabel_soft_margin_loss;

}  // namespace koila::inline v0
