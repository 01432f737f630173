// SPDX-License-Identifier: MIT
#pragma once
// slice_backward: the backward pass of slice, narrow and select.
#include <koila/ops/indexing/slices.hpp>

namespace koila::inline v0 {

struct slice;

namespace internal {

/// (..., m, ...) x (..., n, ...) -> (..., n, ...): zeros, with dy written at positions start,
/// start + step, ... of dim. Only the dims of the second operand are read.
inline constexpr struct slice_backward : op<slice_backward, 2> {
  static constexpr std::string_view name = "slice_backward";
  struct attributes {
    static constexpr std::size_t positional = 3;
    attr<index_t> dim = 0, start = 0, step = 1;
    constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, dim, start, step); }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr unsigned shape_only = 0b10;
  static constexpr auto rule(const dims& dy, const dims& x, const attributes& a) -> verdict {
    if (!rules::same_type(dy, x)) return reason::dtypes_differ;
    if ((a.start.known && a.start.value < 0) || (a.step.known && a.step.value < 1)) return reason::size_out_of_range;
    if (!x.ranked() || !dy.ranked() || !a.dim.known) return x;
    if (dy.rank != x.rank) return reason::no_rule_for_these_ranks;
    const int d = detail::wrap(a.dim.value, x.rank);
    if (d < 0) return reason::dimension_out_of_range;
    for (int i = 0; i < x.rank; ++i)
      if (i != d && x.e[i].known() && dy.e[i].known() && x.e[i].n != dy.e[i].n) return reason::shapes_differ;
    if (!a.start.known || !a.step.known || !x.e[d].known() || !dy.e[d].known()) return x;
    const index_t after = x.e[d].n - 1 - a.start.value;  // elements after the first element that is written
    if (dy.e[d].n > 0 && (after < 0 || (dy.e[d].n - 1) > after / a.step.value)) return reason::size_out_of_range;
    return x;
  }
  static constexpr auto flow(const value& dy, const value& x, const dims&, const attributes& a) -> relations {
    const int d = detail::wrap(a.dim.value, x.dims.rank);
    const batch_relation& r = x.batch_relation.sampled() ? x.batch_relation : dy.batch_relation;
    relations f;
    if (!r.sampled()) return f;
    if (r.axis != d) {
      f.out = r;
      f.operand[0] = {need::rows, r};
    } else {
      f.operand[0].kind = need::whole;
      if (x.batch_relation.sampled()) f.resliced = true, f.again = x.batch_relation;
    }
    return f;
  }
  static constexpr auto cost(const dims& dy, const dims&, const dims& out) -> op_cost {
    return {0, static_cast<double>(2 * dy.bytes() + out.bytes()), 0};
  }
  static constexpr auto placed(const dims& dy, const dims& x, const attributes& a) -> detail::dim_part {
    const int d = detail::wrap(a.dim.value, x.rank);
    return {d, a.start.value, a.step.value == 1 ? dy.e[d].n : -1, false};
  }
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const attributes& a);
  static constexpr auto gradient(const auto& d, const auto&, const auto& dy, const auto&, const attributes& a) {
    const dims m = dims_of(dy);
    const index_t n = m.ranked() ? m.e[detail::wrap(a.dim.value, m.rank)].n : 0;
    const index_t end = n == 0 ? a.start.value : a.start.value + (n - 1) * a.step.value + 1;
    return gradients(detail::call<struct slice>(d, a.dim, a.start, attr<index_t>(end), a.step), no_gradient);
  }
} slice_backward;

}  // namespace internal

}  // namespace koila::inline v0

#include <koila/ops/indexing/slice.hpp>
