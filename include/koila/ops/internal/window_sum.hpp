// SPDX-License-Identifier: MIT
#pragma once
// window_sum: sums over neighbours along one dim.
#include <koila/ops/reduction/reduction.hpp>

namespace koila::inline v0::internal {

/// (..., n, ...) -> (..., n, ...): y[i] is the sum of x[i - left], ..., x[i + right] along `dim`.
/// Positions outside of x are skipped.
inline constexpr struct window_sum : op<window_sum, 1> {
  static constexpr std::string_view name = "window_sum";
  struct attributes {
    static constexpr std::size_t positional = 3;
    attr<index_t> left = 0, right = 0, dim = -1;
    constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, left, right, dim); }
    constexpr void write(auto& w) const { w.put(", dim "), dim.write(w); }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (x.type != dtype::unknown && !is_floating(x.type)) return reason::not_a_floating_type;
    for (const attr<index_t>& far : {a.left, a.right})
      if (far.known && (far.value < 0 || far.value > detail::most_elements)) return reason::size_out_of_range;
    if (x.ranked() && a.dim.known && detail::wrap(a.dim.value, x.rank) < 0) return reason::dimension_out_of_range;
    return x.with(x.type);
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto flow(const value& x, const dims& out, const attributes& a) -> relations {
    return flows::along(&x, 1, detail::wrap(a.dim.value, x.dims.rank), out);
  }
  static constexpr auto cost(const dims& x, const dims& out) -> op_cost {
    return {5.0 * static_cast<double>(x.count()), static_cast<double>(x.bytes() + out.bytes()), 0};
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto&, const attributes& a) {
    return gradients(window_sum{}(dy, a.right, a.left, a.dim));
  }
} window_sum;

}  // namespace koila::inline v0::internal
