// SPDX-License-Identifier: MIT
#pragma once
// mm: the product of two matrices.
#include <koila/ops/indexing/transpose.hpp>
#include <koila/ops/linalg/matrices.hpp>

namespace koila::inline v0 {

/// (m, k) x (k, n) -> (m, n): the matrix product. If the samples lie along k in both operands, each
/// chunk adds the product of its samples to the result.
inline constexpr struct mm : author::op<mm> {
  static constexpr std::string_view name = "mm";
  static constexpr auto rule(const dims& a, const dims& b) -> verdict {
    if ((a.ranked() && a.rank != 2) || (b.ranked() && b.rank != 2)) return reason::no_rule_for_these_ranks;
    if (a.type != dtype::unknown && b.type != dtype::unknown && a.type != b.type) return reason::dtypes_differ;
    const dtype type = a.type == dtype::unknown ? b.type : a.type;
    if (type == dtype::boolean) return reason::no_rule_for_booleans;
    if (!a.ranked() || !b.ranked()) return detail::open_dims(2, type);
    if (detail::compare_extents(a[1], b[0]) == detail::tristate::no) return reason::inner_dimensions_differ;
    return dims({a[0], b[1]}, type);
  }
  static constexpr auto flow(const value& a, const value& b, const dims&) -> relations {
    relations f;
    if ((a.batch_relation.sampled() && a.batch_relation.axis == 1) ||
        (b.batch_relation.sampled() && b.batch_relation.axis == 0 && !a.batch_relation.sampled())) {
      const batch_relation& r = a.batch_relation.sampled() ? a.batch_relation : b.batch_relation;
      f.out = partial(monoid::sum);
      f.operand[0] = {need::rows, samples_along(1, r.outer, r.inner)};
      f.operand[1] = {need::rows, samples_along(0, r.outer, r.inner)};
    } else if (a.batch_relation.sampled()) {
      f.out = a.batch_relation;
      f.operand[1].kind = need::whole;
    } else if (b.batch_relation.sampled()) {
      f.out = b.batch_relation;
      f.operand[0].kind = need::whole;
    }
    return f;
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::matrix; }
  static constexpr auto cost(const dims& a, const dims& b, const dims& out) -> op_cost {
    return rules::product_cost(a, b, out, a[1].n);
  }
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b);
  static void accumulate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& a, const auto& b) {
    return gradients(mm{}(dy, transpose(b, 0_c, 1_c)), mm{}(transpose(a, 0_c, 1_c), dy));
  }
} mm;

}  // namespace koila::inline v0
