// SPDX-License-Identifier: MIT
#pragma once
// flip: reverses the elements along dims.
#include <koila/ops/indexing/index_remap.hpp>

namespace koila::inline v0 {

/// (...) -> (...): flip(x, 0_c, -1_c) or flip(x, list_of(0, -1)) reverses the order of the elements
/// along the given dims.
inline constexpr struct flip : author::op<flip, 1> {
  static constexpr std::string_view name = "flip";
  struct attributes {
    static constexpr std::size_t positional = dims::capacity;
    attr_list dim;
    bool given = false;  // true if dims were given, even an empty list
    constexpr void set(std::size_t, const auto& v) { detail::append(dim, v), given = true; }
    constexpr void write(auto& w) const {
      if (!dim.empty()) w.put(", dims "), dim.write(w);
    }
    constexpr auto has(int d, int rank) const -> bool {
      for (int i = 0; i < dim.n; ++i)
        if (detail::wrap(dim.e[i].value, rank) == d) return true;
      return false;
    }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };

  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (a.dim.empty() && !a.given) return reason::no_dim_given;
    bool taken[dims::capacity] = {};
    for (int i = 0; i < a.dim.n && x.ranked(); ++i) {
      if (!a.dim.e[i].known) continue;
      const int d = detail::wrap(a.dim.e[i].value, x.rank);
      if (d < 0) return reason::dimension_out_of_range;
      if (taken[d]) return reason::dim_given_twice;
      taken[d] = true;
    }
    return x;
  }
  static constexpr auto flow(const value& x, const dims& out, const attributes& a) -> relations {
    return flows::moved(x, x.batch_relation.sampled() && a.has(x.batch_relation.axis, out.rank), out);
  }
  static constexpr auto is_noop(const dims&, const attributes& a) -> bool { return a.dim.empty(); }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto cost(const dims& x, const dims& out) -> op_cost {
    return {0, static_cast<double>(x.bytes() + out.bytes()), 0};
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto&, const attributes& a) {
    return gradients(detail::call_with<struct flip>(a, dy));
  }
} flip;

}  // namespace koila::inline v0
