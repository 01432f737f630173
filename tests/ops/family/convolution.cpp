#include "../check.hpp"

namespace koila::test {

TEST_CASE("the rule of convolutions") {
  constexpr dims x({extent{-1, axis_name<struct batch>}, extent{4}, extent{8}, extent{7}}, float32);
  constexpr dims w({extent{6}, extent{2}, extent{3}, extent{3}}, float32);
  constexpr auto with = [](auto... as) { return attributes_from<struct conv2d>(as...); };
  STATIC_REQUIRE(rules::convolution(x, w, with(groups = 2), 2).out == dims({x[0], extent{6}, extent{6}, extent{5}}, float32));
  STATIC_REQUIRE(rules::convolution(x, w, {}, 2).reason == why::channels_differ);
  STATIC_REQUIRE(rules::convolution(x, w, with(groups = 4), 2).reason == why::channels_are_not_divisible_by_groups);
  STATIC_REQUIRE(rules::convolution(dims(float32), w, {}, 2).out == dims(float32));
  STATIC_REQUIRE(!rules::convolution(x, dims(float32), {}, 2).out[1].known());
  STATIC_REQUIRE(rules::convolution(x, w.with(float64), with(groups = 2), 2).reason == why::dtypes_differ);

  constexpr dims in({extent{3}, extent{4}, extent{8}, extent{7}}, float32),
      out({extent{3}, extent{6}, extent{6}, extent{5}}, float32);
  STATIC_REQUIRE(detail::convolution(in, w, out, with(groups = 2)).cost(0).workspace == 4 * 9 * 30 * 4);  // of one sample
  constexpr dims one({extent{6}, extent{4}, extent{1}, extent{1}}, float32);
  STATIC_REQUIRE(detail::convolution(in, one, rules::convolution(in, one, {}, 2).out, {}).cost(0).workspace == 0);
}

}  // namespace koila::test
