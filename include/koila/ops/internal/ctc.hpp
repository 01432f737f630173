// SPDX-License-Identifier: MIT
#pragma once
// ctc: the negative log-likelihood of label sequences, over all their alignments.
#include <koila/ops/internal/ctc_backward.hpp>

namespace koila::inline v0::internal {

/// (time, samples, classes) x int64 (samples, most) x int64 (samples) x int64 (samples) ->
/// (samples): the loss of each sample, from log-probabilities, padded targets, input lengths and
/// target lengths.
inline constexpr struct ctc : op<ctc, 4> {
  static constexpr std::string_view name = "ctc";
  using attributes = detail::ctc_attributes;
  static constexpr auto rule(const dims& logp, const dims& target, const dims& times, const dims& lengths,
                             const attributes& a) -> verdict {
    return rules::ctc(logp, target, times, lengths, a);
  }
  static constexpr auto flow(const value& logp, const value& target, const value& times, const value& lengths,
                             const dims& out, const attributes&) -> relations {
    const value in[] = {logp, target, times, lengths};
    return flows::ctc(in, 4, out);
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  /// The workspace holds the states of two time steps.
  static constexpr auto cost(const dims& logp, const dims& target, const dims&, const dims&, const dims& out)
      -> op_cost {
    const index_t states = 2 * target[1].n + 1;
    return {8.0 * static_cast<double>(logp[0].n * out.count() * states),
            static_cast<double>(logp[0].n * out.bytes() * states + target.bytes()),
            2 * states * detail::bytes_of(logp.type), true};
  }
  static constexpr auto gradient(const auto& dy, const auto&, const auto& logp, const auto& target, const auto& times,
                                 const auto& lengths, const attributes& a) {
    return gradients(
        ctc_backward(dy, logp, target, times, lengths, koila::blank = a.blank, koila::zero_infinity = a.zero_infinity),
        no_gradient, no_gradient, no_gradient);
  }
} ctc;

}  // namespace koila::inline v0::internal
