#pragma once
// A convolution without columns, as far as shapes go: windows that are one element apart on lines
// that lie one after the other with their padding, so that an element of the windows meets all
// positions by a shift. Positions that a line's padding adds are computed and dropped.
#include <koila/ops/family/windows.hpp>

namespace koila::detail {

struct direct_conv {
  windows at;
  index_t samples, groups, in, out;  ///< channels of a group

  /// The most channels of the result and elements of a vector that a kernel computes at once.
  static constexpr index_t most_rows = 8, most_lanes = 16;
  static constexpr index_t cached = 32'768;  ///< elements of a tile's lines: 128 KiB

  /// The convolution whose result is the gradient of this one's input, of one's result.
  constexpr auto transposed() const -> direct_conv {
    direct_conv t{at, samples, groups, out, in};
    for (int i = 0; i < windows::capacity; ++i) {
      t.at.in[i] = at.out[i], t.at.out[i] = at.in[i];
      t.at.padding[i] = at.dilation[i] * (at.kernel[i] - 1) - at.padding[i];
    }
    return t;
  }
  /// Elements of a line with its padding, as far as the windows go.
  constexpr auto width() const -> index_t { return at.out[2] + (at.kernel[2] - 1) * at.dilation[2]; }
  /// Lines that a tile reads besides as many as it has.
  constexpr auto more() const -> index_t { return (at.kernel[1] - 1) * at.dilation[1]; }
  /// Elements of a group's weight that are read again for every tile: 1 MiB, half of a core's own
  /// cache. Columns read less of larger ones.
  static constexpr index_t most_weight = 262'144;

  /// Whether this is possible, not all of the weight is too much, and at least half of what is
  /// computed is wanted.
  constexpr auto worthwhile() const -> bool {
    for (int i = 0; i < windows::capacity; ++i)
      if (at.stride[i] != 1) return false;
    if (at.trivial() || at.in[0] != 1 || at.out[0] != 1 || at.kernel[0] != 1 || at.padding[0] != 0) return false;
    if (samples * groups * in * at.positions() == 0 || weight() > most_weight ||
        in * (1 + more()) * width() > 2 * cached)
      return false;
    const index_t n = (lines() - 1) * width() + at.out[2], computed = (n + most_lanes - 1) / most_lanes * most_lanes;
    return 2 * out * lines() * at.out[2] >= (out + most_rows - 1) / most_rows * most_rows * computed;
  }
  constexpr auto lines() const -> index_t {
    const index_t most = std::max<index_t>(1, cached / (in * width()) - more());
    return (at.out[1] + tiles_for(most) - 1) / tiles_for(most);
  }
  constexpr auto tiles() const -> index_t { return tiles_for(lines()); }
  constexpr auto tasks() const -> index_t { return samples * groups * tiles(); }
  /// Elements of a tile's lines, and of the results that they give at once, with what vectors reach
  /// over the end.
  constexpr auto part_of_lines() const -> index_t { return in * (lines() + more()) * width() + most_lanes; }
  constexpr auto part() const -> index_t { return part_of_lines() + most_rows * (lines() * width() + most_lanes); }
  /// Elements of a group's weight, by so many channels of the result.
  constexpr auto weight() const -> index_t {
    return (out + most_rows - 1) / most_rows * most_rows * in * at.elements();
  }
  constexpr auto scratch(index_t most_parts) const -> index_t {
    return worthwhile() ? std::min(most_parts, tasks()) * part() + groups * weight() : 0;
  }

 private:
  constexpr auto tiles_for(index_t most) const -> index_t { return (at.out[1] + most - 1) / most; }
};

}  // namespace koila::detail
