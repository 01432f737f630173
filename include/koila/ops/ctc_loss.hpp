#pragma once
// ctc_loss: connectionist temporal classification.
#include <koila/ops/add.hpp>
#include <koila/ops/ctc.hpp>
#include <koila/ops/div.hpp>
#include <koila/ops/family/loss.hpp>
#include <koila/ops/relu.hpp>
#include <koila/ops/sub.hpp>

namespace koila {

/// (time, samples, classes) x int64 (samples, most) x int64 (samples) x int64 (samples) -> (), or
/// (samples) with kNone: of log-probabilities, targets (padded), input lengths and target lengths,
/// the negative log-likelihood of each target by all its alignments. The mean is of the losses over
/// their target's length, as in LibTorch.
inline constexpr struct ctc_loss : op<ctc_loss, 4> {
  static constexpr std::string_view name = "ctc_loss";
  struct attributes : ctc_attributes {
    attr<choice> reduction = choice::mean;
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const dims& logp, const dims& target, const dims& times, const dims& lengths,
                             const attributes& a) -> verdict {
    return rules::reduced(rules::ctc(logp, target, times, lengths, a), a.reduction);
  }
  static constexpr auto expand(const auto& logp, const auto& target, const auto& times, const auto& lengths,
                               const attributes& a) {
    // The mean is over lengths of 1 at least.
    const auto each = ctc(logp, target, times, lengths, koila::blank = a.blank, koila::zero_infinity = a.zero_infinity);
    return a.reduction.value == choice::mean ? mean(ops::div(each, add(relu(sub(lengths, 1)), 1)))
                                             : detail::reduce(each, a.reduction);
  }
} ctc_loss;

}  // namespace koila
