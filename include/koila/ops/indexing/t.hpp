// SPDX-License-Identifier: MIT
#pragma once
// t: the transpose of a matrix.
#include <koila/ops/indexing/transpose.hpp>

namespace koila::inline v0 {

/// (n, m) -> (m, n): the transpose of a matrix. A vector or a scalar stays unchanged. Returns a
/// view.
inline constexpr struct t : op<t, 1> {
  static constexpr std::string_view name = "t";
  static constexpr auto rule(const dims& x) -> verdict {
    if (x.rank > 2) return reason::no_rule_for_these_ranks;
    return x.rank == 2 ? dims({x.e[1], x.e[0]}, x.type) : x;
  }
  static constexpr auto expand(const auto& x) {
    auto y = x;
    if (dims_of(x).rank == 2) y = transpose(x, 0_c, 1_c);
    return y;
  }
} t;

}  // namespace koila::inline v0
