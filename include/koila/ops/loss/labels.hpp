// SPDX-License-Identifier: MIT
#pragma once
// Shared by ops on class indices.
#include <koila/expr/op.hpp>

namespace koila::inline v0 {

namespace detail {

/// Labels equal to `ignore_index` do not count. Its default is the same as in LibTorch.
struct label_attributes {
  attr<index_t> ignore_index = -100;
  friend constexpr auto operator==(const label_attributes&, const label_attributes&) -> bool = default;
};

}  // namespace detail

namespace rules {

/// The dim of the classes in (samples, classes, ...) or (classes).
constexpr auto class_dim(const dims& x) -> int { return x.rank == 1 ? 0 : 1; }

/// (samples, classes, ...) x int64 (samples, ...) -> (samples, ...), or (classes) x int64 () -> ().
constexpr auto labelled(const dims& x, const dims& label, dtype type) -> verdict {
  if (label.type != dtype::unknown && label.type != dtype::int64) return reason::labels_are_not_integers;
  if (x.type != dtype::unknown && !is_floating(x.type)) return reason::not_a_floating_type;
  if (x.ranked() && x.rank < 1) return reason::no_rule_for_these_ranks;
  if (!x.ranked() || !label.ranked()) return label.with(type);
  if (x.rank - 1 != label.rank) return reason::labels_are_not_one_per_sample;
  dims out = label.with(type);
  for (int i = 0; i < label.rank; ++i) {
    const extent& of_x = x.e[i == 0 ? 0 : i + 1];
    if (detail::compare_extents(of_x, label.e[i]) == detail::tristate::no) return reason::labels_are_not_one_per_sample;
    out.e[i] = detail::either(of_x, label.e[i]);
  }
  return out;
}

/// (samples, classes) x int64 (samples) -> (samples), or (classes) x int64 () -> ().
constexpr auto labelled_rows(const dims& x, const dims& label) -> verdict {
  if ((x.ranked() && x.rank > 2) || (label.ranked() && label.rank > 1)) return reason::no_rule_for_these_ranks;
  return labelled(x, label, x.type);
}

/// Checks that class weights have the dims (classes) and, if both dtypes are known, the dtype of x.
/// Returns `accepted` or the reason for a refusal.
constexpr auto class_weights(const dims& x, const dims& weight) -> reason {
  if (x.type != dtype::unknown && weight.type != dtype::unknown && x.type != weight.type) return reason::dtypes_differ;
  if (weight.ranked() && weight.rank != 1) return reason::weight_is_not_per_channel;
  if (x.ranked() && weight.ranked() && detail::compare_extents(x.e[class_dim(x)], weight.e[0]) == detail::tristate::no)
    return reason::weight_is_not_per_channel;
  return reason::accepted;
}

}  // namespace rules

namespace flows {

/// Converts the rows of labels (samples, ...) to the rows of scores (samples, classes, ...).
constexpr auto with_classes(const batch_relation& r) -> batch_relation {
  return samples_along(r.axis == 0 ? 0 : r.axis + 1, r.outer, r.inner);
}

/// The result is per sample if the samples lie along any dim except the classes. If the samples
/// lie along the classes, the op needs all of both operands at once.
constexpr auto labelled(const value& x, const value& label, const dims& out) -> relations {
  if (!x.batch_relation.sampled() && !label.batch_relation.sampled()) return relations{};
  if (x.batch_relation.sampled() && x.batch_relation.axis == rules::class_dim(x.dims)) {
    const value in[] = {x, label};
    return gather(in, 2, out);
  }
  relations f;
  f.out = x.batch_relation.sampled() ? samples_along(x.batch_relation.axis == 0 ? 0 : x.batch_relation.axis - 1,
                                                     x.batch_relation.outer, x.batch_relation.inner)
                                     : label.batch_relation;
  f.operand[0] = {need::rows, with_classes(f.out)};
  f.operand[1] = {need::rows, f.out};
  return f;
}

}  // namespace flows
}  // namespace koila::inline v0
