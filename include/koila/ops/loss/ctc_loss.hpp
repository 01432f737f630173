// SPDX-License-Identifier: MIT
#pragma once
// ctc_loss: connectionist temporal classification.
#include <koila/ops/activation/relu.hpp>
#include <koila/ops/internal/ctc.hpp>
#include <koila/ops/loss/loss.hpp>
#include <koila/ops/pointwise/add.hpp>
#include <koila/ops/pointwise/div.hpp>
#include <koila/ops/pointwise/sub.hpp>

namespace koila::inline v0 {

/// (time, samples, classes) x int64 (samples, most) x int64 (samples) x int64 (samples) -> (), or
/// (samples) with kNone: the negative log-likelihood of each target, summed over all its
/// alignments. The operands are log-probabilities, padded targets, input lengths and target
/// lengths. As in LibTorch, kMean divides each loss by the length of its target and then averages.
inline constexpr struct ctc_loss : author::op<ctc_loss, 4> {
  static constexpr std::string_view name = "ctc_loss";
  struct attributes : detail::ctc_attributes {
    attr<choice> reduction = choice::mean;
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const dims& logp, const dims& target, const dims& times, const dims& lengths,
                             const attributes& a) -> verdict {
    return rules::reduced(rules::ctc(logp, target, times, lengths, a), a.reduction);
  }
  static constexpr auto expand(const auto& logp, const auto& target, const auto& times, const auto& lengths,
                               const attributes& a) {
    // The mean divides by target lengths of at least 1.
    const auto each =
        internal::ctc(logp, target, times, lengths, koila::blank = a.blank, koila::zero_infinity = a.zero_infinity);
    return a.reduction.value == choice::mean ? mean(ops::div(each, add(relu(sub(lengths, 1)), 1)))
                                             : detail::reduce(each, a.reduction);
  }
} ctc_loss;

}  // namespace koila::inline v0
