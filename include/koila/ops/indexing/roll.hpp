// SPDX-License-Identifier: MIT
#pragma once
// roll: shifts elements along dims. Elements that leave at the end come back at the front.
#include <koila/ops/indexing/index_remap.hpp>

namespace koila::inline v0 {

/// (...) -> (...): shifts the elements along the dims, as in roll(x, shift, dim) or roll(x,
/// list_of(1, 2), list_of(0, 1)). Elements that leave at the end come back at the front. Without a
/// dim, the flattened elements are shifted.
inline constexpr struct roll : author::op<roll, 1> {
  static constexpr std::string_view name = "roll";
  struct attributes {
    static constexpr std::size_t positional = 2;
    attr_list shifts, dim;
    constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, shifts, dim); }
    constexpr void write(auto& w) const {
      w.put(" by "), shifts.write(w);
      if (!dim.empty()) w.put(", dims "), dim.write(w);
    }
    /// The number of positions by which dim d of `rank` dims is shifted.
    constexpr auto shift(int d, int rank) const -> index_t {
      index_t total = 0;
      for (int i = 0; i < dim.n; ++i)
        if (detail::wrap(dim.e[i].value, rank) == d) total += shifts.e[i].value;
      return total;
    }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };

  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (a.shifts.n != (a.dim.empty() ? 1 : a.dim.n)) return reason::dims_are_not_all_given;
    for (int i = 0; i < a.shifts.n; ++i)  // the sum of several shifts must not overflow
      if (const attr<index_t> s = a.shifts.e[i];
          s.known && (s.value > detail::most_elements || s.value < -detail::most_elements))
        return reason::size_out_of_range;
    for (int i = 0; i < a.dim.n && x.ranked(); ++i)
      if (a.dim.e[i].known && detail::wrap(a.dim.e[i].value, x.rank) < 0) return reason::dimension_out_of_range;
    return x;
  }
  static constexpr auto flow(const value& x, const dims& out, const attributes& a) -> relations {
    return flows::moved(
        x, x.batch_relation.sampled() && (a.dim.empty() || a.shift(x.batch_relation.axis, out.rank) != 0), out);
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto cost(const dims& x, const dims& out) -> op_cost {
    return {0, static_cast<double>(x.bytes() + out.bytes()), 0};
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto&, const attributes& a) {
    attributes back = a;
    for (int i = 0; i < back.shifts.n; ++i) back.shifts.e[i].value *= -1;
    return gradients(detail::call_with<struct roll>(back, dy));
  }
} roll;

}  // namespace koila::inline v0
