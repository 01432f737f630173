// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

#include <rapidcheck.h>

namespace koila::test {

TEST_CASE("the rule of convolutions") {
  constexpr dims x({extent{-1, axis_name<struct batch>}, extent{4}, extent{8}, extent{7}}, float32);
  constexpr dims w({extent{6}, extent{2}, extent{3}, extent{3}}, float32);
  constexpr auto with = [](auto... as) { return attributes_from<struct conv2d>(as...); };
  STATIC_REQUIRE(rules::convolution(x, w, with(groups = 2), 2).out ==
                 dims({x[0], extent{6}, extent{6}, extent{5}}, float32));
  STATIC_REQUIRE(rules::convolution(x, w, {}, 2).reason == reason::channels_differ);
  STATIC_REQUIRE(rules::convolution(x, w, with(groups = 4), 2).reason == reason::channels_are_not_divisible_by_groups);
  STATIC_REQUIRE(rules::convolution(dims(float32), w, {}, 2).out == dims(float32));
  STATIC_REQUIRE(!rules::convolution(x, dims(float32), {}, 2).out[1].known());
  STATIC_REQUIRE(rules::convolution(x, w.with(float64), with(groups = 2), 2).reason == reason::dtypes_differ);

  constexpr dims in({extent{3}, extent{4}, extent{8}, extent{7}}, float32),
      out({extent{3}, extent{6}, extent{6}, extent{5}}, float32);
  constexpr detail::convolution c(in, w, out, with(groups = 2));
  constexpr index_t part = 2 * 9 * 30, weights = 6 * 2 * 9;  // the unfolded columns of one group of 2 channels
  STATIC_REQUIRE(c.cost_of_forward(0).workspace == 3 * part * 4);  // one part per sample
  STATIC_REQUIRE(c.cost_of_transposed(0).workspace == (3 * 2 * part + weights) * 4);  // one per group and sample
  STATIC_REQUIRE(c.cost_of_weight(0).workspace == (2 * (part + 3 * 30) + 2 * weights) * 4);  // one part per group
  constexpr dims one({extent{6}, extent{4}, extent{1}, extent{1}}, float32);
  constexpr detail::convolution trivial(in, one, rules::convolution(in, one, {}, 2).out, {});
  STATIC_REQUIRE(trivial.cost_of_forward(0).workspace == 0);
  STATIC_REQUIRE(trivial.cost_of_transposed(0).workspace == 6 * 4 * 4);
}

TEST_CASE("a convolution's parts are all of it, and lie in cache") {
  REQUIRE(rc::check("of any shape", [] {
    const auto any = [](int from, int to) { return static_cast<index_t>(*rc::gen::inRange(from, to)); };
    const index_t groups_of = any(1, 5), each = any(1, 400), per_group = any(1, 50), side = any(1, 6);
    const dims y(
        {extent{any(1, 4)}, extent{groups_of * per_group}, extent{any(1, 3)}, extent{any(1, 90)}, extent{any(1, 2000)}},
        dtype::float32);
    dims x = y;
    x[1] = extent{groups_of * each};
    const dims w({extent{groups_of * per_group}, extent{each}, extent{1}, extent{side}, extent{side}}, dtype::float32);
    attributes_t<struct conv3d> a;
    a.groups = groups_of;
    const detail::convolution c(x, w, y, a);
    RC_ASSERT(c.channels() * c.channel_blocks() >= each);
    RC_ASSERT(c.channels() * (c.channel_blocks() - 1) < each);
    for (const tiling& t : {c.tiles(), c.tiles(8)}) {
      const index_t most = t.lines_each * t.width_each;
      RC_ASSERT(most <= 8 * c.positions_of_tile());
      index_t next = 0;
      for (index_t k = 0; k < t.count(); ++k) {  // tiles are consecutive; each has whole lines, or a part of one line
        const positions_tile p = t.tile(k);
        RC_ASSERT(p.first == next && p.count() > 0 && p.count() <= most);
        RC_ASSERT(p.first == p.line * y[4].n + p.from);
        next += p.count();
      }
      RC_ASSERT(next == c.window.positions());
    }
    RC_ASSERT(c.part_elements() <= std::max<index_t>(32'768, 32 * c.channels() * c.window.elements()));
  }));
}

}  // namespace koila::test
