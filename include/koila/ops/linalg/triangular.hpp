// SPDX-License-Identifier: MIT
#pragma once
// Shared by tril and triu.
#include <koila/ops/indexing/diagonal.hpp>

namespace koila::inline v0 {

namespace detail {

/// (..., n, m) -> (..., n, m): keeps a triangle of each matrix and sets the rest to 0. The
/// attribute `diagonal` bounds the kept triangle. 0 is the main diagonal; positive numbers are
/// above the main diagonal.
template <class Op>
struct triangular : op<Op, 1> {
  struct attributes {
    static constexpr std::size_t positional = 1;
    attr<index_t> diagonal = 0;
    constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, diagonal); }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const dims& x, const attributes&) -> verdict {
    if (x.ranked() && x.rank < 2) return reason::no_rule_for_these_ranks;
    return x;
  }
  /// The result has x's relation to the batch. If the samples lie along the rows or columns of
  /// the matrices, the op needs all of x at once.
  static constexpr auto flow(const value& x, const dims& out, const attributes&) -> relations {
    if (x.batch_relation.sampled() && x.batch_relation.axis >= out.rank - 2) return flows::gather(&x, 1, out);
    relations f;
    f.out = x.batch_relation;
    return f;
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto cost(const dims& x, const dims& out) -> op_cost {
    return {0, static_cast<double>(x.bytes() + out.bytes()), 0};
  }
  static constexpr auto gradient(const auto& dy, const auto&, const auto&, const attributes& a) {
    return gradients(detail::call_with<Op>(a, dy));
  }
};

}  // namespace detail

}  // namespace koila::inline v0
