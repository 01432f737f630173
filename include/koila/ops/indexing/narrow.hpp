// SPDX-License-Identifier: MIT
#pragma once
// narrow: a contiguous range of one dim.
#include <koila/ops/internal/slice_backward.hpp>

namespace koila::inline v0 {

/// (..., n, ...) -> (..., length, ...): narrow(x, dim, start, length) returns `length` elements of
/// x along dim, from position `start` on. A negative start counts from the end. Returns a view.
inline constexpr struct narrow : author::op<narrow, 1> {
  static constexpr std::string_view name = "narrow";
  struct attributes {
    static constexpr std::size_t positional = 3;
    attr<index_t> dim = 0, start = 0, length = -1;
    constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, dim, start, length); }
    constexpr void write(auto& w) const {
      w.put(", dim "), dim.write(w);
      w.put(" from "), start.write(w);
      w.put(", length "), length.write(w);
    }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };

  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (x.rank == 0) return reason::no_rule_for_these_ranks;
    if (a.length.known && a.length.value < 0) return reason::size_out_of_range;
    if (!x.ranked()) return dims(x.type);
    if (!a.dim.known) return detail::open_dims(x.rank, x.type);
    const int d = detail::wrap(a.dim.value, x.rank);
    if (d < 0) return reason::dimension_out_of_range;
    const index_t n = x.e[d].n;
    dims out = x;
    out.e[d] = a.length.known ? rules::part_extent(x.e[d], a.length.value) : extent{};
    if (n < 0) return out;
    const index_t start = a.start.known ? rules::start_of(a.start.value, n) : 0;
    if (start < 0 || (a.length.known && a.length.value > n - start)) return reason::size_out_of_range;
    return out;
  }
  static constexpr auto flow(const value& x, const dims&, const attributes& a) -> relations {
    return flows::part_flow(x, detail::wrap(a.dim.value, x.dims.rank), false);
  }
  static constexpr auto is_noop(const dims& x, const attributes& a) -> bool {
    return x.e[detail::wrap(a.dim.value, x.rank)].n == a.length.value;
  }
  static constexpr auto slice_of(const dims& x, const attributes& a) -> detail::dim_part {
    const int d = detail::wrap(a.dim.value, x.rank);
    return {d, rules::start_of(a.start.value, x.e[d].n), a.length.value, false};
  }
  static constexpr void set_slice(attributes& a, const detail::dim_part& to) { a.start = to.start; }
  static constexpr auto view_layout(layout operand_layout, const dims& x, const attributes& a) -> layout {
    return detail::part_layout(operand_layout, x, detail::wrap(a.dim.value, x.rank));
  }
  static void view(at::Tensor& y, const at::Tensor& x, const dims& to, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const attributes& a) {
    const dims d = dims_of(x);
    const index_t n = d.ranked() ? d.e[detail::wrap(a.dim.value, d.rank)].n : 0;
    return gradients(internal::slice_backward(dy, x, a.dim, attr<index_t>(rules::start_of(a.start.value, n))));
  }
} narrow;

}  // namespace koila::inline v0
