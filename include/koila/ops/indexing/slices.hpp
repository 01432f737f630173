// SPDX-License-Identifier: MIT
#pragma once
// Shared by ops on the dims of a value: the attribute `dim`, lists of integers, parts of a dim.
#include <koila/expr/op.hpp>

namespace koila::inline v0 {

namespace detail {

/// The attribute of an op along one dim. The default is dim 0.
struct dim_attribute {
  static constexpr std::size_t positional = 1;
  attr<index_t> dim = 0;
  constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, dim); }
  constexpr void write(auto& w) const { w.put(", dim "), dim.write(w); }
  friend constexpr auto operator==(const dim_attribute&, const dim_attribute&) -> bool = default;
};

/// Appends an integer, or all integers of a list, as in permute(x, 1_c, 0_c) or permute(x,
/// list_of(1_c, 0_c)).
constexpr void append(attr_list& to, const auto& v) {
  if constexpr (requires { as_attr<index_t>(v); }) {
    if (to.n < dims::capacity) to.e[to.n++] = as_attr<index_t>(v);
  } else {
    assign_member(to, v);
  }
}

}  // namespace detail

namespace rules {

/// Returns `start` as a position in [0, n], or -1 if `start` is out of range. A negative `start`
/// counts from the end.
constexpr auto start_of(index_t start, index_t n) -> index_t {
  if (start < -n || start > n) return -1;
  return start < 0 ? start + n : start;
}

/// The extent of a part of a dim. A part of a named axis has no name. Its extent is open if the
/// extent of the axis is known.
constexpr auto part_extent(const extent& x, index_t length) -> extent {
  return {length, {}, x.open || (x.named() && x.known())};
}

}  // namespace rules

namespace flows {

/// The flow of an op that takes a part of dim `d`. If `d` is the batch axis, the op needs the whole
/// operand. Otherwise the result is per sample if x is. If `drop` is true, the result lacks `d`.
constexpr auto part_flow(const value& x, int d, bool drop) -> relations {
  relations f;
  f.out = x.batch_relation;
  if (!x.batch_relation.sampled()) return f;
  if (x.batch_relation.axis == d) {
    f.out = {};
    f.operand[0].kind = need::whole;
  } else if (drop && d < x.batch_relation.axis) {
    --f.out.axis;
  }
  return f;
}

}  // namespace flows

namespace detail {

/// The layout of a part of dim `d` of x. `operand_layout` is the layout of x.
constexpr auto part_layout(layout operand_layout, const dims& x, int d) -> layout {
  if (operand_layout == layout::dense && x.count(0, d) == 1) return layout::dense;
  return x.rank == 2 && operand_layout != layout::strided ? layout::matrix : layout::strided;
}

}  // namespace detail

}  // namespace koila::inline v0
