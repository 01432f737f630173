// SPDX-License-Identifier: MIT
#pragma once
// bmm: the products of two stacks of matrices.
#include <koila/ops/indexing/transpose.hpp>
#include <koila/ops/linalg/matrices.hpp>

namespace koila::inline v0 {

/// (b, m, k) x (b, k, n) -> (b, m, n): the product of each pair of matrices.
inline constexpr struct bmm : author::op<bmm> {
  static constexpr std::string_view name = "bmm";
  static constexpr auto rule(const dims& a, const dims& b) -> verdict {
    if ((a.ranked() && a.rank != 3) || (b.ranked() && b.rank != 3)) return reason::no_rule_for_these_ranks;
    if (a.type != dtype::unknown && b.type != dtype::unknown && a.type != b.type) return reason::dtypes_differ;
    const dtype type = a.type == dtype::unknown ? b.type : a.type;
    if (type == dtype::boolean) return reason::no_rule_for_booleans;
    if (!a.ranked() || !b.ranked()) return detail::open_dims(3, type);
    if (detail::compare_extents(a[0], b[0]) == detail::tristate::no) return reason::batch_dimensions_differ;
    if (detail::compare_extents(a[2], b[1]) == detail::tristate::no) return reason::inner_dimensions_differ;
    return dims({detail::either(a[0], b[0]), a[1], b[2]}, type);
  }
  static constexpr auto flow(const value& a, const value& b, const dims& out) -> relations {
    relations f;
    if (!a.batch_relation.sampled() && !b.batch_relation.sampled()) return f;
    const batch_relation& r = a.batch_relation.sampled() ? a.batch_relation : b.batch_relation;
    const auto rows_at = [&](int axis) -> need { return {need::rows, samples_along(axis, r.outer, r.inner)}; };
    const int label = a.batch_relation.sampled() ? a.batch_relation.axis : 3 + b.batch_relation.axis;
    if (label == 0 || label == 3) {  // the samples lie along dim b, the dim of the pairs of matrices
      f.out = samples_along(0, r.outer, r.inner);
      f.operand[0] = f.operand[1] = rows_at(0);
    } else if (label == 2 || label == 4) {  // the samples lie along k, which is summed over
      f.out = partial(monoid::sum);
      f.operand[0] = rows_at(2);
      f.operand[1] = rows_at(1);
    } else if (label == 1) {
      f.out = a.batch_relation;
      f.operand[1].kind = need::whole;
    } else {
      f.out = b.batch_relation;
      f.operand[0].kind = need::whole;
    }
    (void)out;
    return f;
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::matrix; }
  static constexpr auto cost(const dims& a, const dims& b, const dims& out) -> op_cost {
    return rules::product_cost(a, b, out, a[2].n);
  }
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b);
  static void accumulate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& a, const auto& b) {
    return gradients(bmm{}(dy, transpose(b, 1_c, 2_c)), bmm{}(transpose(a, 1_c, 2_c), dy));
  }
} bmm;

}  // namespace koila::inline v0
