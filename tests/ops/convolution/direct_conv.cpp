// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

#include <koila/ops/convolution/direct_conv.hpp>

#include <rapidcheck.h>

namespace koila::test {

TEST_CASE("padded lines of convolutions without columns") {
  constexpr windows g{{1, 16, 18}, {1, 16, 18}, {1, 3, 3}, {1, 1, 1}, {0, 1, 1}, {1, 1, 1}};
  constexpr detail::direct_conv s{g, 2, 1, 5, 9};
  STATIC_REQUIRE(s.worthwhile());
  STATIC_REQUIRE((s.width() == 20 && s.more() == 2 && s.line_count() == 16 && s.tasks() == 2));
  STATIC_REQUIRE(s.part_elements() == 5 * 18 * 20 + 16 + 8 * (16 * 20 + 16));
  // One part for each sample, and the weight, whose 9 channels are padded to 16.
  STATIC_REQUIRE(s.scratch(8) == 2 * s.part_elements() + 16 * 5 * 9);
  STATIC_REQUIRE(
      (s.transposed().in_channels == 9 && s.transposed().out_channels == 5 && s.transposed().window.padding[2] == 1));
  constexpr auto with = [of = s](auto change) {
    detail::direct_conv other = of;
    change(other);
    return other;
  };
  STATIC_REQUIRE(!with([](auto& o) { o.window.stride[2] = 2; }).worthwhile());
  STATIC_REQUIRE(!with([](auto& o) { o.out_channels = 3; }).worthwhile());
  STATIC_REQUIRE(!with([](auto& o) { o.window.output_size[2] = 1; }).worthwhile());
  STATIC_REQUIRE(!with([](auto& o) { o.window.output_size[0] = 2; }).worthwhile());
  STATIC_REQUIRE(with([](auto& o) { o.window.stride[2] = 2; }).scratch(8) == 0);
}

TEST_CASE("tiles of padded lines are all of them, and lie in cache") {
  REQUIRE(rc::check("of any shape", [] {
    const auto any = [](int from, int to) { return static_cast<index_t>(*rc::gen::inRange(from, to)); };
    windows g;
    g.input_size[1] = g.output_size[1] = any(1, 200), g.input_size[2] = g.output_size[2] = any(1, 200),
    g.kernel[1] = any(1, 6), g.kernel[2] = any(2, 6);
    const detail::direct_conv s{g, any(1, 4), any(1, 4), any(1, 600), any(4, 600)};
    if (!s.worthwhile()) return;
    RC_ASSERT(s.tiles() * s.line_count() >= g.output_size[1]);
    RC_ASSERT((s.tiles() - 1) * s.line_count() < g.output_size[1]);
    RC_ASSERT(s.part_of_lines() <= 2 * detail::direct_conv::cached + 16);
  }));
}

}  // namespace koila::test
