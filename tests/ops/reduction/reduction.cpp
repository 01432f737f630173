// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("reduction: the rule") {
  using A = reduction_attributes;
  constexpr auto with = [](bool keep, auto... d) {
    A a;
    a.dim.assign(list_of(d...));
    a.keepdim = keep;
    return a;
  };
  constexpr auto made = [](auto... n) { return dims({extent{n}...}, float32); };
  constexpr dims x = made(2, 3, 5);
  STATIC_REQUIRE(rules::reduce(x, A{}, float32).out == scalar(float32));
  STATIC_REQUIRE(rules::reduce(x, with(true), float32).out == made(1, 1, 1));
  STATIC_REQUIRE(rules::reduce(x, with(false, 1), int64).out == dims({extent{2}, extent{5}}, int64));
  STATIC_REQUIRE(rules::reduce(x, with(true, -1), float32).out == made(2, 3, 1));
  STATIC_REQUIRE(rules::reduce(x, with(false, 0, 2), float32).out == made(3));
  STATIC_REQUIRE(rules::reduce(x, with(false, 2, 0), float32).out == made(3));
  STATIC_REQUIRE(rules::reduce(x, with(true, 0, -1), float32).out == made(1, 3, 1));
  STATIC_REQUIRE(rules::reduce(x, with(false, 3), float32).reason == reason::dimension_out_of_range);
  STATIC_REQUIRE(rules::reduce(x, with(false, 0, -4), float32).reason == reason::dimension_out_of_range);
  STATIC_REQUIRE(rules::reduce(x, with(false, 1, -2), float32).reason == reason::dim_given_twice);
  STATIC_REQUIRE(rules::reduce(scalar(float32), with(false, -1), float32).out == scalar(float32));
  STATIC_REQUIRE(rules::reduce(scalar(float32), with(false, 1), float32).reason == reason::dimension_out_of_range);

  // If dims are unknown, the result's dims are unknown too.
  STATIC_REQUIRE(!rules::reduce(dims(float32), with(false, 1), float32).out.ranked());
  STATIC_REQUIRE(rules::reduce(dims(float32), A{}, float32).out == scalar(float32));
  constexpr attr<index_t> some(0, false);
  STATIC_REQUIRE(rules::reduce(x, with(false, some), float32).out == open_dims(2, float32));
  STATIC_REQUIRE(rules::reduce(x, with(false, some, attr<index_t>(1)), float32).out == open_dims(1, float32));
  STATIC_REQUIRE(rules::reduce(x, with(true, some), float32).out == open_dims(3, float32));
  STATIC_REQUIRE(rules::reduce(x, with(false, some, attr<index_t>(7)), float32).reason ==
                 reason::dimension_out_of_range);

  STATIC_REQUIRE(rules::reduced_count(x, A{}).n == 30);
  STATIC_REQUIRE(rules::reduced_count(x, with(false, 0, -1)).n == 10);
  STATIC_REQUIRE(rules::reduced_count(scalar(), with(false, 0)).n == 1);
  STATIC_REQUIRE(!rules::reduced_count(open_dims(2), A{}).known());
}

TEST_CASE("reduction: along one dim") {
  constexpr dims x({extent{2}, extent{3}}, float32);
  constexpr auto position = [](index_t d) {
    along_attributes a;
    a.dim.assign(d);
    return a;
  };
  STATIC_REQUIRE(along_attributes{}.all());
  STATIC_REQUIRE(rules::along(x, position(-2), float64).out == x.with(float64));
  STATIC_REQUIRE(rules::along(x, position(2), float32).reason == reason::dimension_out_of_range);
  STATIC_REQUIRE(rules::along(scalar(float32), position(0), float32).out == scalar(float32));
  STATIC_REQUIRE(!rules::along(dims(float32), position(7), float32).out.ranked());
}

TEST_CASE("reduction: the batch among the reduced dims") {
  constexpr value x{dims({extent{4}, extent{6, axis_name<struct batch>}, extent{5}}, float32), samples_along(1, 2, 1)};
  STATIC_REQUIRE(flows::reduction(x, -1, false, monoid::max).out == partial(monoid::max));
  STATIC_REQUIRE(flows::reduction(x, 1, true, monoid::sum).out == partial(monoid::sum));
  STATIC_REQUIRE(flows::reduction(x, 0, false, monoid::sum).out == samples_along(0, 2, 1));
  STATIC_REQUIRE(flows::reduction(x, 0, true, monoid::sum).out == samples_along(1, 2, 1));
  STATIC_REQUIRE(flows::reduction(x, 2, false, monoid::sum).out == samples_along(1, 2, 1));
  STATIC_REQUIRE(flows::reduced(x, 0b101, false, monoid::prod).out == samples_along(0, 2, 1));
  STATIC_REQUIRE(flows::reduced(x, 0b011, false, monoid::prod).out == partial(monoid::prod));
  STATIC_REQUIRE(flows::reduced({x.dims, {}}, 0b011, false, monoid::prod).out == batch_relation{});
}

}  // namespace koila::test
