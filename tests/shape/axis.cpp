// SPDX-License-Identifier: MIT
#include "catch.hpp"

#include <koila/shape/axis.hpp>

using namespace koila;

namespace vision {
inline constexpr struct width : axis<width> {
  using axis::operator=;
} width;
}  // namespace vision
inline constexpr struct width : axis<width> {
  using axis::operator=;
} width;

TEST_CASE("an axis is its qualified name") {
  // g++ prints the inline namespace of the version, clang does not.
  STATIC_REQUIRE((axis_name<struct batch> == "koila::v0::batch" || axis_name<struct batch> == "koila::batch"));
  STATIC_REQUIRE(axis_name<struct width> == "width");
  STATIC_REQUIRE(axis_name<struct vision::width> == "vision::width");
}

TEST_CASE("a number is bound to an axis") {
  constexpr auto bound = batch = 64;
  STATIC_REQUIRE(bound.extent == 64);
  STATIC_REQUIRE(bound.name == axis_name<struct batch>);
  STATIC_REQUIRE((vision::width = 3).name != (width = 3).name);
}

TEST_CASE("what is an axis") {
  STATIC_REQUIRE(Axis<struct batch>);
  STATIC_REQUIRE(Axis<struct vision::width>);
  STATIC_REQUIRE(!Axis<struct any>);
  STATIC_REQUIRE(!Axis<struct unranked>);
  STATIC_REQUIRE(!Axis<int>);
}
