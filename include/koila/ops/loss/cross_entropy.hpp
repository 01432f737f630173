// SPDX-License-Identifier: MIT
#pragma once
// cross_entropy: the negative log-likelihood of class indices or class probabilities under
// softmax(x).
#include <koila/expr/let.hpp>
#include <koila/ops/indexing/reshape.hpp>
#include <koila/ops/internal/mask_labels.hpp>
#include <koila/ops/internal/softmax_cross_entropy.hpp>
#include <koila/ops/loss/class_loss.hpp>
#include <koila/ops/pointwise/add.hpp>
#include <koila/ops/pointwise/neg.hpp>
#include <koila/ops/reduction/log_softmax.hpp>

namespace koila::inline v0 {

/// (samples, classes, ...) x int64 (samples, ...) -> (), or (samples, ...) with kNone: the cross
/// entropy of softmax(x). The target holds class indices, or class probabilities in the shape of x.
/// Indices equal to `ignore_index` (-100) do not count. An optional third operand (classes) weights
/// the classes. The mean is over the whole batch, even if the batch runs in chunks. For indices,
/// the mean divides by the total weight of the labels that count. This weight is summed before the
/// losses. For probabilities, the mean divides by the number of samples.
inline constexpr struct cross_entropy : author::op<cross_entropy, 3> {
  static constexpr std::string_view name = "cross_entropy";
  static constexpr std::string_view aten = "cross_entropy_loss";
  struct attributes {
    attr<index_t> ignore_index = -100;
    attr<double> label_smoothing = 0;
    attr<choice> reduction = choice::mean;
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const dims& x, const dims& target, const attributes& a) -> verdict {
    if (a.label_smoothing.known && !(a.label_smoothing.value >= 0 && a.label_smoothing.value <= 1))
      return reason::probability_out_of_range;
    if (x.type != dtype::unknown && !is_floating(x.type)) return reason::not_a_floating_type;
    if (target.type == dtype::unknown) return rules::reduced(dims(), a.reduction);
    if (!is_floating(target.type)) return rules::reduced(rules::labelled(x, target, x.type), a.reduction);
    if (a.ignore_index.known && a.ignore_index.value >= 0) return reason::labels_are_not_integers;
    if (x.ranked() && x.rank < 1) return reason::no_rule_for_these_ranks;
    const verdict both = rules::equal_dims(x, target);
    if (!both.accepted() || !both.out.ranked()) return rules::reduced(both, a.reduction);
    return rules::reduced(rules::drop(both.out, rules::class_dim(both.out), false), a.reduction);
  }
  static constexpr auto rule(const dims& x, const dims& target, const dims& weight, const attributes& a) -> verdict {
    if (const reason no = rules::class_weights(x, weight); no != reason::accepted) return no;
    return rule(x, target, a);
  }
  static constexpr auto expand(const auto& x, const auto& target, const attributes& a) {
    return loss_of(x, target, detail::no_weight(x), a);
  }
  static constexpr auto expand(const auto& x, const auto& target, const auto& weight, const attributes& a) {
    return loss_of(x, target, &weight, a);
  }

 private:
  template <class S>
  static constexpr auto loss_of(const S& x, const S& target, const S* weight, const attributes& a) -> S {
    const dims d = dims_of(x);
    if (!is_floating(dims_of(target).type) && d.rank <= 2 && a.label_smoothing.value == 0) {
      const S each = internal::softmax_cross_entropy(x, target, koila::ignore_index = a.ignore_index);
      return detail::reduce_labelled(detail::weighted_labels(each, target, weight, a), x, target, weight, a);
    }
    const index_t k = d.rank > 2 ? 1 : -1;  // the dim of the classes
    const S logp = let(log_softmax(x, koila::dim = k));
    // The probability that smoothing adds to each class.
    const double even = a.label_smoothing.value / static_cast<double>(d[rules::class_dim(d)].n);
    const auto over_classes = [&](const S& each) {
      return neg(sum(weight == nullptr ? each : mul(each, of_class(*weight, d)), koila::dim = k));
    };
    if (is_floating(dims_of(target).type)) {
      const S probabilities =
          a.label_smoothing.value == 0 ? target : add(mul(target, 1 - a.label_smoothing.value), even);
      return detail::reduce(over_classes(mul(logp, probabilities)), a.reduction);
    }
    S each = detail::weighted_nll(logp, target, weight, a);
    if (a.label_smoothing.value != 0)
      each = add(mul(each, 1 - a.label_smoothing.value),
                 mul(internal::mask_labels(over_classes(logp), target, koila::ignore_index = a.ignore_index), even));
    return detail::reduce_labelled(each, x, target, weight, a);
  }
  /// Reshapes the weights (classes) to broadcast against (samples, classes, ...).
  static constexpr auto of_class(const auto& weight, const dims& x) {
    dims to = detail::open_dims(x.rank - rules::class_dim(x), x.type);
    for (int i = 0; i < to.rank; ++i) to.e[i] = extent{1};
    to.e[0] = dims_of(weight).e[0];
    return detail::reshape_to(weight, to);
  }
} cross_entropy;

}  // namespace koila::inline v0
