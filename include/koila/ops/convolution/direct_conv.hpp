// SPDX-License-Identifier: MIT
#pragma once
// The sizes of a convolution that is computed directly, without columns (im2col). The stride is 1.
// The lines of a tile (runs of elements along the last dim) lie one after the other in memory, each
// with its padding. So the inputs of all positions for one kernel element are contiguous. They are
// the lines of the tile, shifted by an offset that depends only on the kernel element. Results for
// positions in the padding between lines are computed, too, and dropped.
#include <koila/ops/convolution/windows.hpp>

namespace koila::inline v0::detail {

struct direct_conv {
  windows window;
  index_t samples, groups, in_channels, out_channels;  ///< in_channels, out_channels: of one group

  /// The largest numbers of result channels and of vector elements that a kernel computes at once.
  static constexpr index_t most_rows = 8, most_lanes = 16;
  static constexpr index_t cached = 32'768;  ///< the usual limit for the elements of a tile's lines, 128 KiB

  /// Returns the convolution that computes the gradient of the input from the gradient of the
  /// result.
  constexpr auto transposed() const -> direct_conv {
    direct_conv t{window, samples, groups, out_channels, in_channels};
    for (int i = 0; i < windows::capacity; ++i) {
      t.window.input_size[i] = window.output_size[i], t.window.output_size[i] = window.input_size[i];
      t.window.padding[i] = window.dilation[i] * (window.kernel[i] - 1) - window.padding[i];
    }
    return t;
  }
  /// Returns the number of elements of an input line that the windows read, including the padding.
  constexpr auto width() const -> index_t {
    return window.output_size[2] + (window.kernel[2] - 1) * window.dilation[2];
  }
  /// Returns the number of lines that a tile reads in addition to the lines that it computes.
  constexpr auto more() const -> index_t { return (window.kernel[1] - 1) * window.dilation[1]; }
  /// The largest number of elements of a group's weight for a direct convolution. These elements
  /// take 1 MiB, half of a core's L2 cache. A direct convolution reads the weight again for every
  /// tile. If the weight is larger, the kernels with columns read less memory.
  static constexpr index_t most_weight = 262'144;

  /// Returns true if a direct convolution is possible, its weight is not too large, and at least
  /// half of the computed elements are used.
  constexpr auto worthwhile() const -> bool {
    for (int i = 0; i < windows::capacity; ++i)
      if (window.stride[i] != 1) return false;
    if (window.trivial() || window.input_size[0] != 1 || window.output_size[0] != 1 || window.kernel[0] != 1 ||
        window.padding[0] != 0)
      return false;
    if (samples * groups * in_channels * window.positions() == 0 || weight() > most_weight ||
        in_channels * (1 + more()) * width() > 2 * cached)
      return false;
    const index_t n = (line_count() - 1) * width() + window.output_size[2],
                  computed = (n + most_lanes - 1) / most_lanes * most_lanes;
    return 2 * out_channels * line_count() * window.output_size[2] >=
           (out_channels + most_rows - 1) / most_rows * most_rows * computed;
  }
  constexpr auto line_count() const -> index_t {
    const index_t most = std::max<index_t>(1, cached / (in_channels * width()) - more());
    return (window.output_size[1] + tiles_for(most) - 1) / tiles_for(most);
  }
  constexpr auto tiles() const -> index_t { return tiles_for(line_count()); }
  constexpr auto tasks() const -> index_t { return samples * groups * tiles(); }
  /// `part_of_lines` returns the number of elements of a tile's lines. `part_elements` returns the
  /// number of elements of a thread's part, which holds these lines and the results that are
  /// computed at once. Both numbers include elements that vectors read or write beyond the end.
  constexpr auto part_of_lines() const -> index_t {
    return in_channels * (line_count() + more()) * width() + most_lanes;
  }
  constexpr auto part_elements() const -> index_t {
    return part_of_lines() + most_rows * (line_count() * width() + most_lanes);
  }
  /// Returns the number of elements of a group's packed weight. The number of result channels is
  /// rounded up to a multiple of most_rows.
  constexpr auto weight() const -> index_t {
    return (out_channels + most_rows - 1) / most_rows * most_rows * in_channels * window.elements();
  }
  constexpr auto scratch(index_t most_parts) const -> index_t {
    return worthwhile() ? std::min(most_parts, tasks()) * part_elements() + groups * weight() : 0;
  }

 private:
  constexpr auto tiles_for(index_t most) const -> index_t { return (window.output_size[1] + most - 1) / most; }
};

}  // namespace koila::inline v0::detail
