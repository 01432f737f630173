#include "../check.hpp"

namespace koila::test {

TEST_CASE("the rule of pools") {
  constexpr dims x({extent{-1, axis_name<struct batch>}, extent{4}, extent{7}}, float32);
  constexpr auto with = [](auto... as) { return attributes_from<struct max_pool1d>(as...).of(1); };
  STATIC_REQUIRE(rules::pooled(x, with(2)).out == dims({x[0], extent{4}, extent{3}}, float32));
  STATIC_REQUIRE(rules::pooled(x, with(2, ceil_mode = true)).out == dims({x[0], extent{4}, extent{4}}, float32));
  STATIC_REQUIRE(rules::pooled(x, with(3, 2, padding = 1)).out == dims({x[0], extent{4}, extent{4}}, float32));
  STATIC_REQUIRE(rules::pooled(x, with(2, padding = 2)).reason == why::size_out_of_range);
  STATIC_REQUIRE(rules::pooled(x, with()).reason == why::dims_are_not_all_given);
  STATIC_REQUIRE(rules::pooled(x, attributes_from<struct adaptive_avg_pool1d>(2).of(1)).out[2] == extent{2});
  STATIC_REQUIRE(rules::pooled(dims(float32), with(2)).out == dims(float32));
  // Per sample along any dim but the spatial ones.
  constexpr dims whole({extent{5}, extent{4}, extent{7}}, float32);
  constexpr value samples{whole, rows(0)}, channels{whole, rows(1)}, places{whole, rows(2)};
  STATIC_REQUIRE(flows::planes(&samples, 1, 1, whole).out == rows(0));
  STATIC_REQUIRE(flows::planes(&channels, 1, 1, whole).out == rows(1));
  STATIC_REQUIRE(flows::planes(&places, 1, 1, whole).operand[0].is == need::whole);
}

}  // namespace koila::test
