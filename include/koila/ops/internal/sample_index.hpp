// SPDX-License-Identifier: MIT
#pragma once
// sample_index: the index of each sample in the batch.
#include <koila/expr/op.hpp>

namespace koila::inline v0::internal {

/// (samples, ...) -> int64 (samples): 0, 1, 2, ... over the whole batch, even if the batch runs in
/// chunks. Only the dims of x are read.
inline constexpr struct sample_index : op<sample_index> {
  static constexpr std::string_view name = "sample_index";
  static constexpr unsigned shape_only = 1;
  static constexpr auto rule(const dims& x) -> verdict {
    if (!x.ranked()) return detail::open_dims(1, dtype::int64);
    if (x.rank == 0) return reason::no_rule_for_these_ranks;
    return dims({x.e[0]}, dtype::int64);
  }
  /// The indices are written once for the whole batch. Each chunk reads the indices of its own
  /// samples.
  static constexpr auto flow(const value& x, const dims&) -> relations {
    relations f;
    if (x.batch_relation.sampled() && x.batch_relation.axis == 0) f.resliced = true, f.again = x.batch_relation;
    return f;
  }
  static constexpr auto cost(const dims&, const dims& out) -> op_cost {
    return {0, static_cast<double>(out.bytes()), 0};
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x);
} sample_index;

}  // namespace koila::inline v0::internal
