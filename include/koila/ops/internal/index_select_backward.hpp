// SPDX-License-Identifier: MIT
#pragma once
// index_select_backward: the gradient of index_select.
#include <koila/ops/indexing/indexing.hpp>

namespace koila::inline v0 {

struct index_select;

namespace internal {

/// (..., m, ...) x (..., n, ...) x int64 (m) -> (..., n, ...): adds each slice of dy to the slice
/// of the result that its index selects. Slices with equal indices are added in order. Only the
/// dims of the second operand are read.
inline constexpr struct index_select_backward : op<index_select_backward, 3> {
  static constexpr std::string_view name = "index_select_backward";
  using attributes = detail::index_select_attributes;
  static constexpr unsigned shape_only = 0b010;
  static constexpr auto rule(const dims& dy, const dims& x, const dims& index, const attributes& a) -> verdict {
    if (!rules::indexes(index)) return reason::index_is_not_integers;
    if (x.rank == 0 || index.rank > 1) return reason::no_rule_for_these_ranks;
    const int d = x.ranked() && a.dim.known ? detail::wrap(a.dim.value, x.rank) : 0;
    if (d < 0) return reason::dimension_out_of_range;
    if (dy.type != dtype::unknown && x.type != dtype::unknown && dy.type != x.type) return reason::dtypes_differ;
    if (!x.ranked() || !dy.ranked()) return x;
    if (dy.rank != x.rank) return reason::shapes_differ;
    if (!a.dim.known) return x;
    dims chosen = x;
    chosen.e[d] = index.rank == 1 ? index.e[0] : index.rank == 0 ? extent{1} : extent{};
    return rules::same_shape(dy, chosen) == detail::tristate::no ? verdict(reason::shapes_differ) : verdict(x);
  }
  static constexpr auto flow(const value& dy, const value& x, const value& index, const dims& out, const attributes& a)
      -> relations {
    const int d = detail::wrap(a.dim.value, out.rank);
    const batch_relation& r =
        x.batch_relation.sampled() && x.batch_relation.axis != d ? x.batch_relation : dy.batch_relation;
    relations f;
    if (r.sampled() && r.axis != d) {  // each sample adds only to the rows of this sample
      f.out = r;
      f.operand[0] = {need::rows, r};
      f.operand[2].kind = need::whole;
    } else if (index.batch_relation.sampled() ||
               dy.batch_relation.sampled()) {  // a sum, because every sample may add to any slice
      const batch_relation& s = index.batch_relation.sampled() ? index.batch_relation : dy.batch_relation;
      f.out = partial(monoid::sum);
      f.operand[0] = {need::rows, samples_along(d, s.outer, s.inner)};
      f.operand[2] = {need::rows, samples_along(0, s.outer, s.inner)};
    }
    return f;
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto cost(const dims& dy, const dims&, const dims& index, const dims& out) -> op_cost {
    return detail::with_float32_sums(
        {static_cast<double>(dy.count()), static_cast<double>(dy.bytes() + index.bytes() + out.bytes())}, out);
  }
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const at::Tensor& index,
                       const attributes& a);
  static void accumulate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const at::Tensor& index,
                         const attributes& a);
  static constexpr auto gradient(const auto& d, const auto&, const auto&, const auto&, const auto& index,
                                 const attributes& a) {
    return gradients(detail::call<struct index_select>(d, index, koila::dim = a.dim, detail::from_end = a.from_end),
                     no_gradient, no_gradient);
  }
} index_select_backward;

}  // namespace internal

}  // namespace koila::inline v0

#include <koila/ops/indexing/index_select.hpp>
