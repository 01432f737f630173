// SPDX-License-Identifier: MIT
#pragma once
// Shared by pixel_shuffle and pixel_unshuffle.
#include <koila/ops/indexing/permute.hpp>
#include <koila/ops/indexing/reshape.hpp>

namespace koila::inline v0 {

namespace detail {

/// `factor` is the factor by which the height and the width of an image grow or shrink.
struct pixel_attributes {
  static constexpr std::size_t positional = 1;
  attr<index_t> factor = 1;
  constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, factor); }
  constexpr void write(auto& w) const { w.put(" by "), factor.write(w); }
  friend constexpr auto operator==(const pixel_attributes&, const pixel_attributes&) -> bool = default;
};

}  // namespace detail

namespace rules {

constexpr auto pixels(const dims& x, const detail::pixel_attributes& a) -> reason {
  if (x.ranked() && x.rank < 3) return reason::no_rule_for_these_ranks;
  if (x.rank + 2 > dims::capacity) return reason::too_many_dimensions;
  return a.factor.known && (a.factor.value < 1 || a.factor.value > (index_t{1} << 28)) ? reason::size_out_of_range
                                                                                       : reason::accepted;
}

}  // namespace rules

namespace detail {

/// Replaces the last three dims of d by `last`.
constexpr auto with_last(const dims& d, std::initializer_list<extent> last) -> dims {
  dims out = d;
  out.rank = d.rank - 3;
  for (const extent& x : last) out.e[out.rank++] = x;
  return out;
}
/// Permutes the last five of `rank` dims.
constexpr auto permute_last(const auto& x, int rank, std::initializer_list<int> order) {
  attributes_t<struct permute> a;
  for (int i = 0; i < rank - 5; ++i) a.order.e[a.order.n++] = attr<index_t>(i);
  for (const int i : order) a.order.e[a.order.n++] = attr<index_t>(rank - 5 + i);
  return call_with<struct permute>(a, x);
}

}  // namespace detail
}  // namespace koila::inline v0
