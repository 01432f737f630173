// SPDX-License-Identifier: MIT
#pragma once
// slice: every step-th element of a dim, from a start to an end.
#include <koila/ops/internal/slice_backward.hpp>

#include <limits>

namespace koila::inline v0 {

/// (..., n, ...) -> (..., m, ...): slice(x, dim, start, end, step) is x[start:end:step] along dim,
/// as in Python. Positions out of range are clamped; negative positions count from the end. Returns
/// a view.
inline constexpr struct slice : author::op<slice, 1> {
  static constexpr std::string_view name = "slice";
  struct attributes {
    static constexpr std::size_t positional = 4;
    attr<index_t> dim = 0, start = 0, end = std::numeric_limits<index_t>::max(), step = 1;
    constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, dim, start, end, step); }
    constexpr void write(auto& w) const {
      w.put(", dim "), dim.write(w);
      w.put(" from "), start.write(w);
      if (end != attr<index_t>(std::numeric_limits<index_t>::max())) w.put(" to "), end.write(w);
      w.put(" by "), step.write(w);
    }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };

  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (x.rank == 0) return reason::no_rule_for_these_ranks;
    if (a.step.known && a.step.value < 1) return reason::size_out_of_range;
    if (!x.ranked()) return dims(x.type);
    if (!a.dim.known) return detail::open_dims(x.rank, x.type);
    const int d = detail::wrap(a.dim.value, x.rank);
    if (d < 0) return reason::dimension_out_of_range;
    if (all(a)) return x;
    dims out = x;
    const bool known = x.e[d].known() && a.start.known && a.end.known && a.step.known;
    out.e[d] = known ? rules::part_extent(x.e[d], length(x.e[d].n, a)) : extent{};
    return out;
  }
  static constexpr auto flow(const value& x, const dims&, const attributes& a) -> relations {
    return flows::part_flow(x, detail::wrap(a.dim.value, x.dims.rank), false);
  }
  static constexpr auto is_noop(const dims& x, const attributes& a) -> bool {
    const index_t n = x.e[detail::wrap(a.dim.value, x.rank)].n;
    return a.step.value == 1 && length(n, a) == n;
  }
  static constexpr auto slice_of(const dims& x, const attributes& a) -> detail::dim_part {
    const int d = detail::wrap(a.dim.value, x.rank);
    return {d, clamped(a.start.value, x.e[d].n), a.step.value == 1 ? length(x.e[d].n, a) : -1, false};
  }
  static constexpr void set_slice(attributes& a, const detail::dim_part& to) {
    a.start = to.start, a.end = to.start + to.length;
  }
  static constexpr auto view_layout(layout operand_layout, const dims& x, const attributes& a) -> layout {
    return a.step.value == 1 ? detail::part_layout(operand_layout, x, detail::wrap(a.dim.value, x.rank))
                             : layout::strided;
  }
  static void view(at::Tensor& y, const at::Tensor& x, const dims& to, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const attributes& a) {
    const dims d = dims_of(x);
    const index_t n = d.ranked() ? d.e[detail::wrap(a.dim.value, d.rank)].n : 0;
    return gradients(internal::slice_backward(dy, x, a.dim, attr<index_t>(clamped(a.start.value, n)), a.step));
  }

 private:
  static constexpr auto all(const attributes& a) -> bool {
    const attributes none;
    return a.start == none.start && a.end == none.end && a.step == none.step;
  }
  static constexpr auto clamped(index_t index, index_t n) -> index_t {
    const index_t from_front = index < 0 ? index + n : index;
    return from_front < 0 ? 0 : from_front > n ? n : from_front;
  }
  static constexpr auto length(index_t n, const attributes& a) -> index_t {
    const index_t first = clamped(a.start.value, n), last = clamped(a.end.value, n);
    return last <= first ? 0 : (last - first - 1) / a.step.value + 1;
  }
} slice;

}  // namespace koila::inline v0
