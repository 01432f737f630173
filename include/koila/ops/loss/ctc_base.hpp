// SPDX-License-Identifier: MIT
#pragma once
// Shared by the ops of connectionist temporal classification (CTC).
#include <koila/expr/op.hpp>

namespace koila::inline v0 {

namespace detail {

/// The attributes of CTC, namely `blank` (0 by default) and `zero_infinity` (false by default).
struct ctc_attributes {
  attr<index_t> blank = 0;
  attr<bool> zero_infinity = false;
  friend constexpr auto operator==(const ctc_attributes&, const ctc_attributes&) -> bool = default;
};

}  // namespace detail

namespace rules {

/// (time, samples, classes) x int64 (samples, most) x int64 (samples) x int64 (samples) ->
/// (samples): the loss of each sample, from log-probabilities, targets, input lengths and target
/// lengths.
constexpr auto ctc(const dims& logp, const dims& target, const dims& times, const dims& lengths,
                   const detail::ctc_attributes& a = {}) -> verdict {
  if (a.blank.known && a.blank.value < 0) return reason::size_out_of_range;
  if (a.blank.known && logp.rank == 3 && logp[2].known() && a.blank.value >= logp[2].n)
    return reason::number_is_too_large;
  if (logp.type != dtype::unknown && logp.type != dtype::float32 && logp.type != dtype::float64)
    return is_floating(logp.type) ? reason::no_rule_for_these_dtypes : reason::not_a_floating_type;
  const auto ok = [&](const dims& d, int rank) { return !d.ranked() || d.rank == rank; };
  if (!ok(logp, 3) || !ok(target, 2) || !ok(times, 1) || !ok(lengths, 1)) return reason::no_rule_for_these_ranks;
  extent samples = logp.ranked() ? logp.e[1] : extent{};
  for (const dims* d : {&target, &times, &lengths}) {
    if (d->type != dtype::unknown && d->type != dtype::int64) return reason::labels_are_not_integers;
    if (!d->ranked()) continue;
    if (detail::compare_extents(samples, d->e[0]) == detail::tristate::no) return reason::labels_are_not_one_per_sample;
    samples = detail::either(samples, d->e[0]);
  }
  return dims({samples}, logp.type);
}

}  // namespace rules

namespace flows {

/// The flow of ctc and ctc_backward. The result is per sample if the samples lie along dim 1 of
/// logp and its gradient (rank 3), and along dim 0 of all other values. Otherwise the op needs
/// every operand as a whole.
constexpr auto ctc(const value* operands, int n, const dims& out) -> relations {
  const auto axis = [](const dims& d) { return d.rank == 3 ? 1 : 0; };
  relations f;
  for (int k = 0; k < n; ++k) {
    if (!operands[k].batch_relation.sampled()) continue;
    if (operands[k].batch_relation.axis != axis(operands[k].dims)) return gather(operands, n, out);
    if (!f.out.sampled())
      f.out = samples_along(axis(out), operands[k].batch_relation.outer, operands[k].batch_relation.inner);
  }
  if (!f.out.sampled()) return f;
  for (int k = 0; k < n; ++k)
    f.operand[k] = {need::rows, samples_along(axis(operands[k].dims), f.out.outer, f.out.inner)};
  return f;
}

}  // namespace flows
}  // namespace koila::inline v0
