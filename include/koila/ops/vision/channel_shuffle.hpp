// SPDX-License-Identifier: MIT
#pragma once
// channel_shuffle: interleaves the channels of several groups.
#include <koila/ops/indexing/reshape.hpp>
#include <koila/ops/indexing/transpose.hpp>

#include <limits>

namespace koila::inline v0 {

/// (n, c, ...) -> (n, c, ...): channel_shuffle(x, groups) divides the channels into groups of
/// neighbouring channels. The result has the first channel of each group, then the second channel
/// of each group, and so on.
inline constexpr struct channel_shuffle : author::op<channel_shuffle, 1> {
  static constexpr std::string_view name = "channel_shuffle";
  struct attributes {
    static constexpr std::size_t positional = 1;
    static constexpr index_t none = std::numeric_limits<index_t>::min();
    attr<index_t> groups = none;
    constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, groups); }
    constexpr auto given() const -> bool { return groups != attr<index_t>(none); }
    constexpr void write(auto& w) const {
      if (given()) w.put(", groups "), groups.write(w);
    }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (!a.given()) return reason::no_number_given;
    if (x.ranked() && x.rank < 3) return reason::no_rule_for_these_ranks;
    if (a.groups.known && a.groups.value < 1) return reason::size_out_of_range;
    if (x.ranked() && a.groups.known && x.e[1].known() && x.e[1].n % a.groups.value != 0)
      return reason::channels_are_not_divisible_by_groups;
    return x;
  }
  static constexpr auto expand(const auto& x, const attributes& a) {
    const dims d = dims_of(x);
    const index_t g = a.groups.value;
    const extent pixels = d.rank == 3 ? d.e[2] : extent{d.count(2, d.rank), {}, true};
    // (n, g, c / g, pixels) -> (n, c / g, g, pixels)
    const auto grouped = detail::reshape_to(x, dims({d.e[0], extent{g}, extent{d.e[1].n / g}, pixels}));
    return detail::reshape_to(transpose(grouped, 1_c, 2_c), d);
  }
} channel_shuffle;

}  // namespace koila::inline v0
