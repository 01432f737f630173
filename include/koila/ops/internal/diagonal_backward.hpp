// SPDX-License-Identifier: MIT
#pragma once
// diagonal_backward: the backward pass of diagonal.
#include <koila/ops/indexing/slices.hpp>

#include <algorithm>

namespace koila::inline v0 {

struct diagonal;

namespace detail {

/// A diagonal of the matrices whose rows lie along dim1 and whose columns lie along dim2.
struct diagonal_attributes {
  static constexpr std::size_t positional = 3;
  attr<index_t> offset = 0, dim1 = 0, dim2 = 1;
  constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, offset, dim1, dim2); }
  constexpr void write(auto& w) const {
    w.put(", offset "), offset.write(w);
    w.put(", dims "), dim1.write(w);
    w.put(" and "), dim2.write(w);
  }
  constexpr auto row_dim(int rank) const -> int { return wrap(dim1.value, rank); }
  constexpr auto column_dim(int rank) const -> int { return wrap(dim2.value, rank); }
  /// Returns true if the diagonal lies in dim d of `rank` dims.
  constexpr auto lies_in(int d, int rank) const -> bool { return d == row_dim(rank) || d == column_dim(rank); }
  /// The dim of the diagonal's value that is dim d of the value of `rank` dims.
  constexpr auto left_of(int d, int rank) const -> int {
    return d - (row_dim(rank) < d ? 1 : 0) - (column_dim(rank) < d ? 1 : 0);
  }
  friend constexpr auto operator==(const diagonal_attributes&, const diagonal_attributes&) -> bool = default;
};

}  // namespace detail

namespace rules {

/// The extent of a diagonal of matrices of n rows and m columns. The main diagonal of an axis and
/// the same axis has this axis.
constexpr auto diagonal_extent(const extent& n, const extent& m, const attr<index_t>& offset) -> extent {
  if (!offset.known) return {};
  const index_t k = offset.value;
  if (k == 0 && n.named() && n.axis == m.axis) return detail::either(n, m);
  if (!n.known() || !m.known()) return {};
  const index_t rows = k >= 0 ? n.n : std::max<index_t>(n.n + std::max(k, -n.n), 0);
  const index_t columns = k <= 0 ? m.n : m.n - std::min(k, m.n);
  return {std::min(rows, columns), {}, n.open || m.open || n.named() || m.named()};
}

/// (..., n, ..., m, ...) -> (..., k): without dim1 and dim2, with the diagonal as the last dim.
constexpr auto diagonal_of(const dims& x, const detail::diagonal_attributes& a) -> verdict {
  if (!x.ranked()) return dims(x.type);
  if (x.rank < 2) return reason::no_rule_for_these_ranks;
  if (!a.dim1.known || !a.dim2.known) return detail::open_dims(x.rank - 1, x.type);
  const int i = a.row_dim(x.rank), j = a.column_dim(x.rank);
  if (i < 0 || j < 0) return reason::dimension_out_of_range;
  if (i == j) return reason::dim_given_twice;
  dims out = drop(drop(x, std::max(i, j), false), std::min(i, j), false);
  out.e[out.rank++] = diagonal_extent(x.e[i], x.e[j], a.offset);
  return out;
}

}  // namespace rules

namespace internal {

/// (..., k) x (..., n, ..., m, ...) -> (..., n, ..., m, ...): zeros, with dy written to the
/// diagonal. Only the dims of the second operand are read.
inline constexpr struct diagonal_backward : op<diagonal_backward, 2> {
  static constexpr std::string_view name = "diagonal_backward";
  using attributes = detail::diagonal_attributes;
  static constexpr unsigned shape_only = 0b10;
  static constexpr auto rule(const dims& dy, const dims& x, const attributes& a) -> verdict {
    const verdict v = rules::diagonal_of(x, a);
    if (!v.accepted()) return v;
    if (!rules::same_type(dy, x)) return reason::dtypes_differ;
    if (!dy.ranked() || !v.out.ranked()) return x;
    if (dy.rank != v.out.rank) return reason::shapes_differ;
    for (int i = 0; i < dy.rank; ++i)
      if (dy.e[i].known() && v.out.e[i].known() && dy.e[i].n != v.out.e[i].n) return reason::shapes_differ;
    return x;
  }
  static constexpr auto flow(const value& dy, const value& x, const dims& out, const attributes& a) -> relations {
    relations f;
    batch_relation r = x.batch_relation;
    if (!r.sampled() && dy.batch_relation.sampled() && dy.batch_relation.axis < dy.dims.rank - 1) {
      r = dy.batch_relation;
      for (r.axis = 0; a.lies_in(r.axis, out.rank) || a.left_of(r.axis, out.rank) != dy.batch_relation.axis;) ++r.axis;
    }
    if (r.sampled() && !a.lies_in(r.axis, out.rank)) {
      f.out = r;
      f.operand[0] = {need::rows, samples_along(a.left_of(r.axis, out.rank), r.outer, r.inner)};
    } else {
      f.operand[0].kind = need::whole;
      if (r.sampled()) f.resliced = true, f.again = r;
    }
    return f;
  }
  static constexpr auto cost(const dims& dy, const dims&, const dims& out) -> op_cost {
    return {0, static_cast<double>(2 * dy.bytes() + out.bytes()), 0};
  }
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const attributes& a);
  static constexpr auto gradient(const auto& d, const auto&, const auto&, const auto&, const attributes& a) {
    return gradients(detail::call_with<struct diagonal>(a, d), no_gradient);
  }
} diagonal_backward;

}  // namespace internal

}  // namespace koila::inline v0

#include <koila/ops/indexing/diagonal.hpp>
