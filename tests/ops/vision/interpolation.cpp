// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("the rule of interpolation") {
  constexpr dims x({extent{-1, axis_name<struct batch>}, extent{4}, extent{7}}, float32);
  constexpr auto with = [](auto... as) { return attributes_from<struct interpolate>(as...); };
  STATIC_REQUIRE(rules::interpolated(x, with(size = 3)).out == dims({x[0], extent{4}, extent{3}}, float32));
  STATIC_REQUIRE(rules::interpolated(x, with(scale_factor = 0.5)).out == dims({x[0], extent{4}, extent{3}}, float32));
  STATIC_REQUIRE(rules::interpolated(x, with(scale_factor = list_of(2.5))).out[2] == extent{17});
  STATIC_REQUIRE(rules::interpolated(x, with(size = 3, scale_factor = 2)).reason == reason::dim_given_twice);
  STATIC_REQUIRE(rules::interpolated(x, with()).reason == reason::dims_are_not_all_given);
  STATIC_REQUIRE(rules::interpolated(x, with(size = 3, mode = kTrilinear)).reason == reason::no_rule_for_these_ranks);
  STATIC_REQUIRE(rules::interpolated(dims(float32), with(size = 3)).out == dims(float32));
}

}  // namespace koila::test
