// SPDX-License-Identifier: MIT
#pragma once
// pixel_shuffle: moves elements from the channels to the pixels.
#include <koila/ops/vision/pixels.hpp>

namespace koila::inline v0 {

/// (..., c * r * r, h, w) -> (..., c, h * r, w * r): pixel_shuffle(x, r) rearranges channels into
/// blocks of r x r pixels.
inline constexpr struct pixel_shuffle : author::op<pixel_shuffle, 1> {
  static constexpr std::string_view name = "pixel_shuffle";
  using attributes = detail::pixel_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (const reason r = rules::pixels(x, a); r != reason::accepted) return r;
    if (!x.ranked()) return x;
    dims out = x;
    const index_t r = a.factor.value;
    if (a.factor.known && x[-3].known() && x[-3].n % (r * r) != 0) return reason::not_divisible;
    for (int i = -2; i < 0; ++i)
      if (a.factor.known && x[i].known() && rules::times(x[i].n, r) < 0) return reason::size_out_of_range;
    for (int i = -3; i < 0; ++i)
      out[i] = !a.factor.known || !x[i].known() ? extent{}
                                                : rules::part_extent(x[i], i == -3 ? x[i].n / (r * r) : x[i].n * r);
    return out;
  }
  static constexpr auto expand(const auto& x, const attributes& a) {
    const dims d = dims_of(x), out = rule(d, a).out;
    const extent r{a.factor.value};
    // (..., c, r, r, h, w) -> (..., c, h, r, w, r)
    const auto unfolded = detail::reshape_to(x, detail::with_last(d, {out[-3], r, r, d[-2], d[-1]}));
    return detail::reshape_to(detail::permute_last(unfolded, d.rank + 2, {0, 3, 1, 4, 2}), out);
  }
} pixel_shuffle;

}  // namespace koila::inline v0
