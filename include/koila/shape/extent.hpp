// SPDX-License-Identifier: MIT
#pragma once
// One dim of a shape: a number, an axis, or unknown. Comparisons result in yes, no or maybe.
#include <koila/shape/axis.hpp>

namespace koila::inline v0 {

namespace author {

/// `n` is the number of elements along a dim, or negative if unknown. `open` is true if the extent
/// comes from a tensor whose shape the compiler did not know.
struct extent {
  index_t n = -1;
  std::string_view axis{};
  bool open = false;

  constexpr auto named() const -> bool { return !axis.empty(); }
  constexpr auto known() const -> bool { return n >= 0; }
  /// Returns true if the dim broadcasts. A named axis of extent 1 does not broadcast: a batch of
  /// one sample stays a batch.
  constexpr auto is_one() const -> bool { return n == 1 && !named(); }
  friend constexpr auto operator==(const extent&, const extent&) -> bool = default;
};

}  // namespace author

namespace detail {

enum class tristate : signed char { no, maybe, yes };

/// Compares two extents. Two named extents are equal if they have the same axis. A named extent
/// may also equal an unnamed extent that is unknown or `open`.
constexpr auto compare_extents(const extent& a, const extent& b) -> tristate {
  const bool numbers = a.known() && b.known();
  if (numbers && a.n != b.n) return tristate::no;
  if (a.named() && b.named()) return a.axis == b.axis ? tristate::yes : tristate::no;
  if (a.named() || b.named()) {
    const extent& other = a.named() ? b : a;
    if (other.known() && !other.open) return tristate::no;
    return numbers ? tristate::yes : tristate::maybe;
  }
  return numbers ? tristate::yes : tristate::maybe;
}

/// Merges two extents that are equal or may be equal. The result has an axis if one of the
/// extents has an axis, and a number if one of them has a number.
constexpr auto either(const extent& a, const extent& b) -> extent {
  const bool first = a.named() || (!b.named() && a.known() && (!a.open || !b.known()));
  extent out = first ? a : b;
  if (!out.known()) out.n = first ? b.n : a.n;
  return out;
}

}  // namespace detail

}  // namespace koila::inline v0
