// SPDX-License-Identifier: MIT
#pragma once
// glu: one half of a dim, gated by the other half, Dauphin et al. 2017.
#include <koila/ops/activation/activation.hpp>
#include <koila/ops/indexing/narrow.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/sigmoid.hpp>

namespace koila::inline v0 {

/// (..., 2 * n, ...) -> (..., n, ...): the first half of x along `dim`, times the sigmoid of the
/// second half. `dim` is the last dim by default.
inline constexpr struct glu : author::op<glu, 1> {
  static constexpr std::string_view name = "glu";
  struct attributes : detail::dim_attribute {
    constexpr attributes() { dim = -1; }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    const verdict v = rules::of_floats(x);
    if (!v.accepted()) return v;
    if (x.rank == 0) return reason::no_rule_for_these_ranks;
    if (!x.ranked()) return x;
    if (!a.dim.known) return detail::open_dims(x.rank, x.type);
    const int d = detail::wrap(a.dim.value, x.rank);
    if (d < 0) return reason::dimension_out_of_range;
    const index_t n = x.e[d].n;
    if (n >= 0 && n % 2 != 0) return reason::not_divisible;
    dims out = x;
    out.e[d] = n < 0 ? extent{} : rules::part_extent(x.e[d], n / 2);
    return out;
  }
  static constexpr auto expand(const auto& x, const attributes& a) {
    const dims d = dims_of(x);
    const index_t half = d.e[detail::wrap(a.dim.value, d.rank)].n / 2;
    return mul(narrow(x, a.dim, 0, half), sigmoid(narrow(x, a.dim, half, half)));
  }
} glu;

}  // namespace koila::inline v0
