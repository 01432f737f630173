// SPDX-License-Identifier: MIT
#pragma once
// unflatten: splits one dim into several.
#include <koila/ops/indexing/reshape.hpp>
#include <koila/ops/indexing/slices.hpp>

namespace koila::inline v0 {

/// (..., a * b, ...) -> (..., a, b, ...): unflatten(x, dim, list_of(a, b)) splits dim into dims of
/// the sizes a and b. One size may be -1. Returns a view if x is contiguous, else a copy.
inline constexpr struct unflatten : author::op<unflatten, 1> {
  static constexpr std::string_view name = "unflatten";
  struct attributes {
    static constexpr std::size_t positional = 2;
    attr<index_t> dim = 0;
    attr_list sizes;
    constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, dim, sizes); }
    constexpr void write(auto& w) const {
      w.put(", dim "), dim.write(w);
      w.put(" to "), sizes.write(w);
    }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };

  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (x.rank == 0) return reason::no_rule_for_these_ranks;
    if (a.sizes.empty()) return reason::element_counts_differ;
    if (!x.ranked()) return x;
    if (x.rank - 1 + a.sizes.n > dims::capacity) return reason::too_many_dimensions;
    if (!a.dim.known) return detail::open_dims(x.rank - 1 + a.sizes.n, x.type);
    const int d = detail::wrap(a.dim.value, x.rank);
    if (d < 0) return reason::dimension_out_of_range;
    rules::sizes s;
    for (int i = 0; i < a.sizes.n; ++i) s.put(a.sizes.e[i]);
    const verdict parts = rules::reshape(dims({x.e[d]}, x.type), s);
    if (!parts.accepted()) return parts;
    dims out = detail::open_dims(x.rank - 1 + s.rank, x.type);
    for (int i = 0; i < out.rank; ++i)
      out.e[i] = i < d ? x.e[i] : i < d + s.rank ? parts.out.e[i - d] : x.e[i - s.rank + 1];
    return out;
  }
  static constexpr auto expand(const auto& x, const attributes& a) {
    return detail::reshape_to(x, rule(dims_of(x), a).out);
  }
} unflatten;

}  // namespace koila::inline v0
