#pragma once
// What ops on class indices share.
#include <koila/expr/op.hpp>

namespace koila {

/// `ignore_index`: the class that does not count, as LibTorch's default.
struct label_attributes {
  attr<index_t> ignore_index = -100;
  friend constexpr auto operator==(const label_attributes&, const label_attributes&) -> bool = default;
};

namespace rules {

/// (samples, classes) x int64 (samples) -> (samples), or (classes) x int64 () -> ().
constexpr auto labelled(const dims& x, const dims& label, dtype type) -> verdict {
  if (label.type != dtype::unknown && label.type != dtype::int64) return why::labels_are_not_integers;
  if (x.type != dtype::unknown && !is_floating(x.type)) return why::not_a_floating_type;
  if ((x.ranked() && (x.rank < 1 || x.rank > 2)) || (label.ranked() && label.rank > 1)) return why::no_rule_for_these_ranks;
  if (!x.ranked() || !label.ranked()) return label.with(type);
  if (x.rank - 1 != label.rank) return why::labels_are_not_one_per_sample;
  if (x.rank == 2 && same(x[0], label[0]) == tri::no) return why::labels_are_not_one_per_sample;
  dims out = label.with(type);
  if (x.rank == 2) out[0] = either(x[0], label[0]);
  return out;
}

}  // namespace rules

namespace flows {

/// Per sample along dim 0 of both.
constexpr auto labelled(const value& x, const value& label, const dims& out) -> relations {
  const value in[] = {x, label};
  const relation& r = x.r.sampled() ? x.r : label.r;
  if (!r.sampled()) return relations{};
  if (r.axis != 0) return gather(in, 2, out);
  relations f;
  f.out = r;
  f.operand[0] = f.operand[1] = {need::rows, r};
  return f;
}

}  // namespace flows
}  // namespace koila
