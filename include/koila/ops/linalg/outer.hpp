// SPDX-License-Identifier: MIT
#pragma once
// outer: the outer product of two vectors.
#include <koila/ops/indexing/reshape.hpp>
#include <koila/ops/linalg/mm.hpp>
#include <koila/ops/pointwise/mul.hpp>

namespace koila::inline v0 {

/// (n) x (m) -> (n, m): element (i, j) is a[i] * b[j].
inline constexpr struct outer : author::op<outer> {
  static constexpr std::string_view name = "outer";
  static constexpr auto rule(const dims& a, const dims& b) -> verdict {
    if ((a.ranked() && a.rank != 1) || (b.ranked() && b.rank != 1)) return reason::no_rule_for_these_ranks;
    if (!a.ranked() || !b.ranked()) return detail::open_dims(2, result_type(a, b));
    return dims({a[0], b[0]}, result_type(a, b));
  }
  /// Expands to mm if possible, because the gradients of mm are matrix products too. The
  /// gradients of mul would need temporaries as large as the result.
  static constexpr auto expand(const auto& a, const auto& b) {
    const dims x = dims_of(a), y = dims_of(b);
    const auto column = detail::reshape_to(a, dims({x[0], extent{1}}, x.type)),
               row = detail::reshape_to(b, dims({extent{1}, y[0]}, y.type));
    return x.type == y.type && is_floating(x.type) ? mm(column, row) : mul(column, row);
  }
} outer;

}  // namespace koila::inline v0
