// SPDX-License-Identifier: MIT
#pragma once
// Shared by ops on windows over up to three spatial dims: where the windows lie, and attributes
// with one value for each spatial dim.
#include <koila/expr/op.hpp>

#include <algorithm>

namespace koila::inline v0 {

namespace detail {

/// A tile of the positions of windows. A tile consists of some whole lines along the last dim, or
/// of a part of one line.
struct positions_tile {
  index_t line = 0,
          line_count = 0;   ///< first line and number of lines; lines are counted over the dims before the last
  index_t from = 0, width = 0;   ///< positions along the last dim
  index_t first = 0;             ///< the first position, counted over all dims

  constexpr auto count() const -> index_t { return line_count * width; }
};

/// Windows on a grid, along three dims. Along each dim there are `output_size` windows of `kernel`
/// elements on a grid of `input_size` elements. If there are fewer spatial dims, the leading dims
/// keep the defaults.
struct windows {
  static constexpr int capacity = 3;
  index_t input_size[capacity]{1, 1, 1}, output_size[capacity]{1, 1, 1}, kernel[capacity]{1, 1, 1};
  index_t stride[capacity]{1, 1, 1}, padding[capacity]{0, 0, 0}, dilation[capacity]{1, 1, 1};

  constexpr auto inputs() const -> index_t { return input_size[0] * input_size[1] * input_size[2]; }
  constexpr auto positions() const -> index_t { return output_size[0] * output_size[1] * output_size[2]; }
  constexpr auto elements() const -> index_t { return kernel[0] * kernel[1] * kernel[2]; }
  /// Returns all positions as one tile.
  constexpr auto all() const -> positions_tile { return {0, output_size[0] * output_size[1], 0, output_size[2], 0}; }
  /// Returns true if the windows are the single elements of the grid, in order.
  constexpr auto trivial() const -> bool {
    for (int i = 0; i < capacity; ++i)
      if (kernel[i] != 1 || stride[i] != 1 || padding[i] != 0 || input_size[i] != output_size[i]) return false;
    return true;
  }
};

/// Splits the positions of windows into tiles of about the same size, with at most `most` positions
/// if possible.
struct tiling {
  index_t line_count, width;           ///< lines of all positions, and positions of a line
  index_t lines_each, width_each; ///< the same for one tile; the last tile may have fewer

  constexpr tiling(const windows& g, index_t most)
      : line_count(g.output_size[0] * g.output_size[1]), width(g.output_size[2]) {
    const auto evenly = [](index_t n, index_t at_most) {  // the size of a part if n is split evenly
      const index_t parts = n > 0 ? (n + at_most - 1) / at_most : 1;
      return std::max<index_t>(1, (n + parts - 1) / parts);
    };
    width_each = evenly(width, most);
    lines_each = width_each < width ? 1 : evenly(line_count, std::max<index_t>(1, most / std::max<index_t>(1, width)));
  }
  constexpr auto per_line() const -> index_t { return (width + width_each - 1) / width_each; }
  constexpr auto count() const -> index_t { return (line_count + lines_each - 1) / lines_each * per_line(); }
  constexpr auto tile(index_t k) const -> positions_tile {
    positions_tile t;
    t.line = k / per_line() * lines_each, t.from = k % per_line() * width_each;
    t.line_count = std::min(lines_each, line_count - t.line), t.width = std::min(width_each, width - t.from);
    t.first = t.line * width + t.from;
    return t;
  }
};

/// The padding before and after each dim. It is given as numbers, as kSame (the result has the
/// extents of the operand) or as kValid (no padding).
struct paddings : attr_list {
  using attr_list::assign;
  choice mode = choice::none;

  constexpr paddings(index_t v) : attr_list(v) {}
  template <choice C>
  constexpr void assign(choice_constant<C>) {
    attr_list::assign(attr_list(0));
    mode = C;
  }
  constexpr void assign(const paddings& o) { *this = o; }
  constexpr void write(auto& w) const {
    if (mode == choice::none) attr_list::write(w);
    else w.put(mode == choice::same ? "same" : mode == choice::valid ? "valid" : "of another kind");
  }
  friend constexpr auto operator==(const paddings&, const paddings&) -> bool = default;
};

}  // namespace detail

namespace detail {

/// Writes an attribute into the message of a refusal if the attribute is not the default.
template <class A>
constexpr void write_unless(auto& w, std::string_view name, const A& a, const A& usual) {
  if (a == usual) return;
  w.put(", "), w.put(name), w.put(' '), a.write(w);
}

}  // namespace detail

namespace rules {

/// The largest kernel size, stride, padding or dilation. This is the largest 32-bit integer, so
/// that the product of two such numbers does not overflow.
inline constexpr index_t most_of_window = (index_t{1} << 31) - 1;

/// Checks that a list has one value, or one for each of n spatial dims, and that no known value is
/// less than `least` or too large. Returns `accepted` or the reason for a refusal.
constexpr auto spatial(const attr_list& l, int n, index_t least) -> reason {
  if (l.n != 1 && l.n != n) return reason::dims_are_not_all_given;
  for (int i = 0; i < l.n; ++i)
    if (l.e[i].known && (l.e[i].value < least || l.e[i].value > most_of_window)) return reason::size_out_of_range;
  return reason::accepted;
}

/// The number of windows along one dim, or the reason for a refusal if there are no windows. The
/// number is open if a size is not known.
struct windowed {
  author::reason reason = author::reason::accepted;
  extent e{};
};
constexpr auto windowed_extent(const extent& x, const extent& kernel, attr<index_t> stride, attr<index_t> padding,
                               attr<index_t> dilation, attr<bool> ceil = false) -> windowed {
  if (kernel.known() && (kernel.n < 1 || kernel.n > most_of_window)) return {reason::size_out_of_range, {}};
  const extent open{-1, {}, true};
  if (!kernel.known() || !stride.known || !padding.known || !dilation.known || !ceil.known)
    return {reason::accepted, open};
  const index_t reach = dilation.value * (kernel.n - 1) + 1, s = stride.value;
  if (reach == 1 && s == 1 && padding.value == 0) return {reason::accepted, x};
  if (!x.known()) return {reason::accepted, open};
  const index_t room = x.n + 2 * padding.value - reach;
  if (room < 0 && !(ceil.value && room + s - 1 >= 0)) return {reason::kernel_larger_than_input, {}};
  index_t n = (room + (ceil.value ? s - 1 : 0)) / s + 1;
  if (ceil.value && (n - 1) * s >= x.n + padding.value) --n;  // no window begins in the padding at the end
  if (n < 1) return {reason::kernel_larger_than_input, {}};
  return {reason::accepted, extent{n, {}, x.open || x.named() || kernel.open}};
}

}  // namespace rules
}  // namespace koila::inline v0
