// SPDX-License-Identifier: MIT
#include "catch.hpp"

#include <koila/shape/dims.hpp>

using namespace koila;
using namespace koila::author;
using namespace koila::detail;

namespace {

constexpr extent samples{-1, axis_name<struct batch>};

}  // namespace

TEST_CASE("dims are counted and indexed from both ends") {
  constexpr dims d({extent{2}, extent{3}, extent{5}}, float64);
  STATIC_REQUIRE(d.rank == 3);
  STATIC_REQUIRE((d[0].n == 2 && d[2].n == 5 && d[-1].n == 5 && d[-3].n == 2));
  STATIC_REQUIRE(d.count() == 30);
  STATIC_REQUIRE(d.count(1, 3) == 15);
  STATIC_REQUIRE(d.count(1, 1) == 1);
  STATIC_REQUIRE(d.bytes() == 240);
}

TEST_CASE("a scalar has one element, a zero dim none") {
  STATIC_REQUIRE(scalar(float32).ranked());
  STATIC_REQUIRE(scalar(float32).rank == 0);
  STATIC_REQUIRE(scalar(float32).count() == 1);
  STATIC_REQUIRE(scalar(float32).bytes() == 4);
  STATIC_REQUIRE(dims({extent{0}, extent{3}}).count() == 0);
}

TEST_CASE("what is known of dims") {
  STATIC_REQUIRE(!dims().ranked());
  STATIC_REQUIRE(!dims().known());
  STATIC_REQUIRE(scalar().known());
  STATIC_REQUIRE(!open_dims(2).known());
  STATIC_REQUIRE(open_dims(2).ranked());
  STATIC_REQUIRE(!dims({samples, extent{3}}).known());
  STATIC_REQUIRE(dims({extent{4, axis_name<struct batch>}, extent{3}}).known());
}

TEST_CASE("an axis is found where it stands first") {
  STATIC_REQUIRE(dims({extent{3}, samples, samples}).find(axis_name<struct batch>) == 1);
  STATIC_REQUIRE(dims({extent{3}}).find(axis_name<struct batch>) == -1);
  STATIC_REQUIRE(dims().find(axis_name<struct batch>) == -1);
}

TEST_CASE("dims are compared by all that they say") {
  STATIC_REQUIRE(dims({samples}, float32) == dims({samples}, float32));
  STATIC_REQUIRE(dims({samples}, float32) != dims({samples}, float64));
  STATIC_REQUIRE(dims({samples}, float32) != dims({extent{}}, float32));
  STATIC_REQUIRE(dims({samples}, float32) != dims({samples, extent{1}}, float32));
  STATIC_REQUIRE(scalar(float32) != dims(float32));
  STATIC_REQUIRE([] {
    dims number = scalar(float64);
    number.number = true;
    return number != scalar(float64) && number.with(float64) == scalar(float64);
  }());
}

TEST_CASE("negative positions count from the end") {
  STATIC_REQUIRE(wrap(0, 3) == 0);
  STATIC_REQUIRE(wrap(2, 3) == 2);
  STATIC_REQUIRE(wrap(-1, 3) == 2);
  STATIC_REQUIRE(wrap(-3, 3) == 0);
  STATIC_REQUIRE(wrap(3, 3) == -1);
  STATIC_REQUIRE(wrap(-4, 3) == -1);
  STATIC_REQUIRE(wrap(0, 0) == -1);
}
