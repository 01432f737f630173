// SPDX-License-Identifier: MIT
#pragma once
// ctc_backward: the gradient of ctc.
#include <koila/ops/loss/ctc_base.hpp>

namespace koila::inline v0::internal {

/// (samples) x (time, samples, classes) x int64 (samples, most) x int64 (samples) x int64 (samples)
/// -> (time, samples, classes): dy * (e^logp - p), where p is the probability of a class at a time
/// step given the target. As in LibTorch, this gradient assumes that log_softmax computed logp.
inline constexpr struct ctc_backward : op<ctc_backward, 5> {
  static constexpr std::string_view name = "ctc_backward";
  using attributes = detail::ctc_attributes;
  static constexpr auto rule(const dims& dy, const dims& logp, const dims& target, const dims& times,
                             const dims& lengths, const attributes& a) -> verdict {
    const verdict of_each = rules::ctc(logp, target, times, lengths, a);
    if (!of_each.accepted()) return of_each;
    if (rules::same_shape(dy, of_each.out) == detail::tristate::no) return reason::labels_are_not_one_per_sample;
    if (dy.type != dtype::unknown && logp.type != dtype::unknown && dy.type != logp.type) return reason::dtypes_differ;
    return logp;
  }
  static constexpr auto flow(const value& dy, const value& logp, const value& target, const value& times,
                             const value& lengths, const dims& out, const attributes&) -> relations {
    const value in[] = {dy, logp, target, times, lengths};
    return flows::ctc(in, 5, out);
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  /// The workspace holds the states of all time steps of one sample, and of two more steps.
  static constexpr auto cost(const dims& dy, const dims& logp, const dims& target, const dims&, const dims&,
                             const dims& out) -> op_cost {
    const index_t states = 2 * target[1].n + 1;
    return {20.0 * static_cast<double>(logp[0].n * dy.count() * states),
            static_cast<double>(logp.bytes() + 2 * out.bytes()), (logp[0].n + 2) * states * detail::bytes_of(logp.type),
            true};
  }
} ctc_backward;

}  // namespace koila::inline v0::internal
