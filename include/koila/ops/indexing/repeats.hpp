// SPDX-License-Identifier: MIT
#pragma once
// Shared by repeat, its backward op and repeat_interleave.
#include <koila/ops/indexing/slices.hpp>

namespace koila::inline v0 {

namespace detail {

/// The number of repetitions of each dim. If there are more numbers than dims of x, the first
/// numbers are for new dims in front.
struct repeat_attributes {
  static constexpr std::size_t positional = dims::capacity;
  attr_list repeats;
  constexpr void set(std::size_t, const auto& v) { detail::append(repeats, v); }
  constexpr void write(auto& w) const { w.put(" by "), repeats.write(w); }
  friend constexpr auto operator==(const repeat_attributes&, const repeat_attributes&) -> bool = default;
};

}  // namespace detail

namespace rules {

/// (n, ...) -> (r * n, ...). A repeated dim loses its axis name.
constexpr auto repeated(const dims& x, const detail::repeat_attributes& a) -> verdict {
  dims out = detail::open_dims(a.repeats.n, x.type);
  const int lead = out.rank - (x.ranked() ? x.rank : out.rank);
  if (lead < 0) return reason::dims_are_not_all_given;
  for (int i = 0; i < out.rank; ++i) {
    const attr<index_t> r = a.repeats.e[i];
    if (r.known && r.value < 0) return reason::size_out_of_range;
    if (!x.ranked() || !r.known) continue;
    const extent one{1}, &n = i < lead ? one : x.e[i - lead];
    if (r.value == 1) out.e[i] = n;
    else if (n.known() && times(r.value, n.n) < 0) return reason::size_out_of_range;
    else if (n.known()) out.e[i] = part_extent(n, r.value * n.n);
  }
  return out;
}

}  // namespace rules
}  // namespace koila::inline v0
