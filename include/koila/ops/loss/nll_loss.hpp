// SPDX-License-Identifier: MIT
#pragma once
// nll_loss: the negative log-likelihood of class indices.
#include <koila/ops/loss/class_loss.hpp>

namespace koila::inline v0 {

/// (samples, classes, ...) x int64 (samples, ...) -> (), or (samples, ...) with kNone: -x[label],
/// or 0 where the label is ignore_index. An optional third operand (classes) weights the classes.
/// The mean divides by the sum of the weights of the whole batch's labels that are not ignored.
inline constexpr struct nll_loss : author::op<nll_loss, 3> {
  static constexpr std::string_view name = "nll_loss";
  static constexpr std::string_view aten = "nll_loss nll_loss_nd nll_loss2d";
  using attributes = detail::class_loss_attributes;
  static constexpr auto rule(const dims& x, const dims& label, const attributes& a) -> verdict {
    return rules::reduced(rules::labelled(x, label, x.type), a.reduction);
  }
  static constexpr auto rule(const dims& x, const dims& label, const dims& weight, const attributes& a) -> verdict {
    if (const reason no = rules::class_weights(x, weight); no != reason::accepted) return no;
    return rule(x, label, a);
  }
  static constexpr auto expand(const auto& x, const auto& label, const attributes& a) {
    return loss_of(x, label, detail::no_weight(x), a);
  }
  static constexpr auto expand(const auto& x, const auto& label, const auto& weight, const attributes& a) {
    return loss_of(x, label, &weight, a);
  }

 private:
  template <class S>
  static constexpr auto loss_of(const S& x, const S& label, const S* weight, const attributes& a) -> S {
    return detail::reduce_labelled(detail::weighted_nll(x, label, weight, a), x, label, weight, a);
  }
} nll_loss;

}  // namespace koila::inline v0
