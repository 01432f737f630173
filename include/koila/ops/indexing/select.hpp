// SPDX-License-Identifier: MIT
#pragma once
// select: the slice of x at one index of a dim, without the dim.
#include <koila/expr/function.hpp>
#include <koila/ops/indexing/unsqueeze.hpp>
#include <koila/ops/internal/slice_backward.hpp>

namespace koila::inline v0 {

namespace ops {  // C declares a function of this name

/// (..., n, ...) -> (..., ...): select(x, dim, index) is the slice of x at position `index` of dim.
/// Negative indices count from the end. Returns a view.
inline constexpr struct select : op<select, 1> {
  static constexpr std::string_view name = "select";
  struct attributes {
    static constexpr std::size_t positional = 2;
    attr<index_t> dim = 0, index = 0;
    constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, dim, index); }
    constexpr void write(auto& w) const {
      w.put(", dim "), dim.write(w);
      w.put(" at "), index.write(w);
    }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };

  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (x.rank == 0) return reason::no_rule_for_these_ranks;
    if (!x.ranked()) return dims(x.type);
    if (!a.dim.known) return detail::open_dims(x.rank - 1, x.type);
    const int d = detail::wrap(a.dim.value, x.rank);
    if (d < 0) return reason::dimension_out_of_range;
    if (x.e[d].known() && a.index.known && (a.index.value < -x.e[d].n || a.index.value >= x.e[d].n))
      return reason::size_out_of_range;
    return rules::drop(x, d, false);
  }
  static constexpr auto flow(const value& x, const dims&, const attributes& a) -> relations {
    return flows::part_flow(x, detail::wrap(a.dim.value, x.dims.rank), true);
  }
  static constexpr auto slice_of(const dims& x, const attributes& a) -> detail::dim_part {
    const int d = detail::wrap(a.dim.value, x.rank);
    return {d, a.index.value < 0 ? a.index.value + x.e[d].n : a.index.value, 1, true};
  }
  static constexpr void set_slice(attributes& a, const detail::dim_part& to) { a.index = to.start; }
  static constexpr auto view_layout(layout operand_layout, const dims& x, const attributes& a) -> layout {
    const int d = detail::wrap(a.dim.value, x.rank);
    if (operand_layout == layout::dense && x.count(0, d) == 1) return layout::dense;
    return operand_layout == layout::dense && x.rank == 3 && d == 1 ? layout::matrix : layout::strided;
  }
  static void view(at::Tensor& y, const at::Tensor& x, const dims& to, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const attributes& a) {
    const dims d = dims_of(x);
    const index_t at = detail::wrap(a.dim.value, d.rank), n = d.ranked() ? d.e[at].n : 0;
    const attr<index_t> start = a.index.value < 0 ? a.index.value + n : a.index.value;
    return gradients(internal::slice_backward(unsqueeze(dy, attr<index_t>(at)), x, attr<index_t>(at), start));
  }
} select;

}  // namespace ops
}  // namespace koila::inline v0

#line 1 "koila's select"
KOILA_UNARY_FUNCTION(select)
