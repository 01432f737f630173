#pragma once
// What a sum over some dims is to the kernel that computes what is summed.
#include <koila/shape/dims.hpp>

#include <algorithm>

namespace koila {

/// A value seen as (lead, kept, each), of which the sum is (kept).
struct sum_shape {
  index_t lead = 1, kept = 1, each = 1;
  bool regular = true;  ///< it can be seen so: what is kept lies together
};

/// Of a sum over the dims `over`, as bits.
constexpr auto sum_shape_of(const dims& x, unsigned over) -> sum_shape {
  sum_shape s;
  int part = 0;
  for (int i = 0; i < x.rank; ++i) {
    const index_t n = x.e[i].n;
    if (n == 1) continue;
    const bool summed = (over >> static_cast<unsigned>(i) & 1U) != 0;
    if (summed == (part == 1)) ++part;  // from what leads to what is kept, and on to what is summed of each
    if (part == 3) s.regular = false;
    (part == 0 ? s.lead : part == 1 ? s.kept : s.each) *= n;
  }
  return s;
}

/// A value in rows of so many elements: each has a sum, or each row is added to the others element
/// by element; 1 where there is one sum of all.
constexpr auto row_of_sum(const sum_shape& s) -> index_t {
  return s.kept == 1 ? 1 : s.lead == 1 || s.each > 1 ? s.each : s.kept;
}

/// Where each sum has elements from all over a value, a kernel adds them up beside it: all of its
/// sums together are of so many.
inline constexpr index_t most_sums = 4096;
/// The most elements of a value that are computed at once, but for longer rows of which all is.
inline constexpr index_t most_in_tile = 1024;

/// The most elements that a sum is added up in: of short rows so many are added side by side as are
/// computed at once.
constexpr auto added_up_in(const sum_shape& s) -> index_t {
  if (s.lead == 1 || s.kept == 1) return 1;
  return s.each == 1 ? std::max(s.kept, most_in_tile) : s.kept;
}

}  // namespace koila
