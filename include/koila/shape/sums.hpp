// SPDX-License-Identifier: MIT
#pragma once
// Sums in fused element-wise kernels: how a kernel computes a value and its sum over some dims.
#include <koila/shape/dims.hpp>

#include <algorithm>

namespace koila::inline v0::detail {

/// A value viewed as (lead, kept, each). Its sum over `lead` and `each` has shape (kept).
struct sum_shape {
  index_t lead = 1, kept = 1, each = 1;
  bool regular = true;  ///< false if this view is impossible: the kept dims are not adjacent
};

/// Returns the view of `x` for a sum over the dims in `over` (bit d: dim d).
constexpr auto sum_shape_of(const dims& x, unsigned over) -> sum_shape {
  sum_shape s;
  int part = 0;
  for (int i = 0; i < x.rank; ++i) {
    const index_t n = x.e[i].n;
    if (n == 1) continue;
    const bool summed = (over >> static_cast<unsigned>(i) & 1U) != 0;
    if (summed == (part == 1)) ++part;  // next part: from lead to kept, or from kept to each
    if (part == 3) s.regular = false;
    (part == 0 ? s.lead : part == 1 ? s.kept : s.each) *= n;
  }
  return s;
}

/// Returns the row length of a sum's operand, in elements. The sum either reduces each row to one
/// element, or adds all rows element by element. Returns 1 if the whole operand is reduced to one
/// element.
constexpr auto row_of_sum(const sum_shape& s) -> index_t {
  return s.kept == 1 ? 1 : s.lead == 1 || s.each > 1 ? s.each : s.kept;
}

/// Maximum number of accumulator elements in one kernel, for all its sums together.
inline constexpr index_t most_sums = 4096;
/// Maximum number of elements in a tile, the block of elements that a kernel computes at once. If
/// rows are longer, a tile is one whole row.
inline constexpr index_t most_in_tile = 1024;

/// Returns the maximum number of accumulator elements that a sum needs. If short rows are added
/// element by element, as many rows as fit in one tile are accumulated side by side.
constexpr auto added_up_in(const sum_shape& s) -> index_t {
  if (s.lead == 1 || s.kept == 1) return 1;
  return s.each == 1 ? std::max(s.kept, most_in_tile) : s.kept;
}

}  // namespace koila::inline v0::detail
