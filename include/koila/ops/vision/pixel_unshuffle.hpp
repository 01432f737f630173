// SPDX-License-Identifier: MIT
#pragma once
// pixel_unshuffle: moves elements from the pixels to the channels.
#include <koila/ops/vision/pixels.hpp>

namespace koila::inline v0 {

/// (..., c, h * r, w * r) -> (..., c * r * r, h, w): pixel_unshuffle(x, r) rearranges blocks of
/// r x r pixels into channels.
inline constexpr struct pixel_unshuffle : author::op<pixel_unshuffle, 1> {
  static constexpr std::string_view name = "pixel_unshuffle";
  using attributes = detail::pixel_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (const reason r = rules::pixels(x, a); r != reason::accepted) return r;
    if (!x.ranked()) return x;
    dims out = x;
    const index_t r = a.factor.value;
    if (a.factor.known && x[-3].known() && rules::times(x[-3].n, r * r) < 0) return reason::size_out_of_range;
    for (int i = -3; i < 0; ++i) {
      if (i > -3 && a.factor.known && x[i].known() && x[i].n % r != 0) return reason::not_divisible;
      out[i] =
          !a.factor.known || !x[i].known() ? extent{} : rules::part_extent(x[i], i == -3 ? x[i].n * r * r : x[i].n / r);
    }
    return out;
  }
  static constexpr auto expand(const auto& x, const attributes& a) {
    const dims d = dims_of(x), out = rule(d, a).out;
    const extent r{a.factor.value};
    // (..., c, h, r, w, r) -> (..., c, r, r, h, w)
    const auto unfolded = detail::reshape_to(x, detail::with_last(d, {d[-3], out[-2], r, out[-1], r}));
    return detail::reshape_to(detail::permute_last(unfolded, d.rank + 2, {0, 2, 4, 1, 3}), out);
  }
} pixel_unshuffle;

}  // namespace koila::inline v0
