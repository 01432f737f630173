// SPDX-License-Identifier: MIT
#pragma once
// How a kernel of element-wise ops adds up a sum over some dims of a value that it computes.
#include <koila/shape/dims.hpp>

#include <algorithm>

namespace koila::detail {

/// A value viewed as (lead, kept, each). Its sum over `lead` and `each` has shape (kept).
struct sum_shape {
  index_t lead = 1, kept = 1, each = 1;
  bool regular = true;  ///< false if this view is impossible: the kept dims are not adjacent
};

/// The shape of a sum over the dims `over`, one bit for each dim.
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

/// The row length of a sum's operand. The sum either adds up each row, or adds the rows to each
/// other element by element. Returns 1 if there is only one sum.
constexpr auto row_of_sum(const sum_shape& s) -> index_t {
  return s.kept == 1 ? 1 : s.lead == 1 || s.each > 1 ? s.each : s.kept;
}

/// Maximum number of accumulator elements in one kernel, over all sums that it adds up.
inline constexpr index_t most_sums = 4096;
/// Maximum number of elements in a tile, which a kernel computes at once. A tile of longer rows is
/// one whole row.
inline constexpr index_t most_in_tile = 1024;

/// Maximum number of accumulator elements that a sum needs. Short rows that are added to each other
/// are accumulated side by side, as many as fit in one tile.
constexpr auto added_up_in(const sum_shape& s) -> index_t {
  if (s.lead == 1 || s.kept == 1) return 1;
  return s.each == 1 ? std::max(s.kept, most_in_tile) : s.kept;
}

}  // namespace koila::detail
