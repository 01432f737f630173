// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("normalisations, the family") {
  constexpr dims x = dims({extent{2}, extent{3}, extent{4}}, dtype::float32), four = dims({extent{4}}, dtype::float32),
                 three = dims({extent{3}}, dtype::float32);

  constexpr auto sizes = [](index_t a, index_t b) -> attr_list {
    attr_list l(a);
    l.e[l.n++] = b;
    return l;
  };
  constexpr auto number = []() -> dims {
    dims d = scalar(dtype::int64);
    d.number = true;
    return d;
  };

  STATIC_REQUIRE(rules::normalised(x, sizes(3, 4)).out == x);
  STATIC_REQUIRE(rules::normalised(x, sizes(2, 4)).reason == reason::normalized_shape_differs);
  STATIC_REQUIRE(rules::normalised(four, sizes(3, 4)).reason == reason::normalized_shape_differs);
  STATIC_REQUIRE(rules::normalised(x.with(dtype::int64), sizes(3, 4)).reason == reason::not_a_floating_type);
  STATIC_REQUIRE(rules::normalised(x, four, {}).out == x);
  STATIC_REQUIRE(rules::normalised(x, three, {}).reason == reason::normalized_shape_differs);
  STATIC_REQUIRE(rules::normalised(x, four, sizes(3, 4)).reason == reason::normalized_shape_differs);
  STATIC_REQUIRE(rules::normalised(x, four.with(dtype::float64), {}).reason == reason::dtypes_differ);
  STATIC_REQUIRE(rules::normalised(x, scalar(dtype::float32), {}).reason == reason::no_rule_for_these_ranks);

  STATIC_REQUIRE(rules::channelled(x, three, three).out == x);
  STATIC_REQUIRE(rules::channelled(x, number(), number()).out == x);
  STATIC_REQUIRE(rules::channelled(x, three, four).reason == reason::weight_is_not_per_channel);
  STATIC_REQUIRE(rules::channelled(x, x).reason == reason::weight_is_not_per_channel);
  STATIC_REQUIRE(rules::channelled(four).reason == reason::no_rule_for_these_ranks);

  STATIC_REQUIRE(detail::dims_between(1, 3) == 0b110 && detail::dims_between(2, 2) == 0);
}

}  // namespace koila::test
