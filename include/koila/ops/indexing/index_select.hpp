// SPDX-License-Identifier: MIT
#pragma once
// index_select: selects slices of a dim by an index.
#include <koila/ops/internal/index_select_backward.hpp>

namespace koila::inline v0 {

/// (..., n, ...) x int64 (m) -> (..., m, ...): index_select(x, dim, index) selects slices of x
/// along dim. A scalar index selects one slice and keeps the dim.
inline constexpr struct index_select : detail::indexing<index_select, 2> {
  static constexpr std::string_view name = "index_select";
  using attributes = detail::index_select_attributes;
  static constexpr auto rule(const dims& x, const dims& index, const attributes& a) -> verdict {
    if (!rules::indexes(index)) return reason::index_is_not_integers;
    if (x.rank == 0 || index.rank > 1) return reason::no_rule_for_these_ranks;
    if (!x.ranked()) return dims(x.type);
    if (!a.dim.known) return detail::open_dims(x.rank, x.type);
    const int d = detail::wrap(a.dim.value, x.rank);
    if (d < 0) return reason::dimension_out_of_range;
    dims out = x;
    out.e[d] = index.rank == 1 ? index.e[0] : index.rank == 0 ? extent{1} : extent{};
    return out;
  }
  static constexpr auto flow(const value& x, const value& index, const dims&, const attributes& a) -> relations {
    const int d = detail::wrap(a.dim.value, x.dims.rank);
    relations f;
    if (x.batch_relation.sampled() && x.batch_relation.axis != d) {  // selects the same slices of every sample
      f.out = x.batch_relation;
      f.operand[1].kind = need::whole;
    } else {  // every sample may select any slice of x
      f.operand[0].kind = need::whole;
      if (index.batch_relation.sampled())
        f.out = samples_along(d, index.batch_relation.outer, index.batch_relation.inner);
    }
    return f;
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto cost(const dims&, const dims& index, const dims& out) -> op_cost {
    return {0, static_cast<double>(index.bytes() + 2 * out.bytes()), 0};
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& index, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const auto& index, const attributes& a) {
    return gradients(internal::index_select_backward(dy, x, index, koila::dim = a.dim, detail::from_end = a.from_end),
                     no_gradient);
  }
} index_select;

}  // namespace koila::inline v0
