#pragma once
// One dim of a shape: a number, an axis, or not known; compared in three values.
#include <koila/shape/axis.hpp>

namespace koila {

/// `n` is negative while it is not known. An `open` extent came from a tensor that said nothing to
/// the compiler.
struct extent {
  index_t n = -1;
  std::string_view axis{};
  bool open = false;

  constexpr auto named() const -> bool { return !axis.empty(); }
  constexpr auto known() const -> bool { return n >= 0; }
  /// A dim that broadcasts. A named axis of extent 1 does not: a batch of one sample stays a batch.
  constexpr auto is_one() const -> bool { return n == 1 && !named(); }
  friend constexpr auto operator==(const extent&, const extent&) -> bool = default;
};

enum class tristate : signed char { no, maybe, yes };

/// Is it the same extent? An axis equals itself and nothing else, save what is open until bound.
constexpr auto same(const extent& a, const extent& b) -> tristate {
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

/// Of two extents that are the same, the one that says more.
constexpr auto either(const extent& a, const extent& b) -> extent {
  const bool first = a.named() || (!b.named() && a.known() && (!a.open || !b.known()));
  extent out = first ? a : b;
  if (!out.known()) out.n = first ? b.n : a.n;
  return out;
}

}  // namespace koila
