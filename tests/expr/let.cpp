// SPDX-License-Identifier: MIT
#include "catch.hpp"

#include <koila/ops.hpp>

using namespace koila;
using namespace koila::detail;

TEST_CASE("let has the shape of what it names") {
  const input<batch, 3> x{"x"};
  const auto h = let(sum(x, dim = 1_c));
  STATIC_REQUIRE(shape_t<decltype(h)>::value == shape<batch>::value);
  STATIC_REQUIRE(Expression<std::remove_cv_t<decltype(h)>>);
}

TEST_CASE("copies of a let are one value") {
  const auto h = let(relu(input<batch, 3>{"x"}));
  const auto y = h + h;
  CHECK(h.held->count == 3);
  CHECK(hana::at_c<0>(y.operands).held == hana::at_c<1>(y.operands).held);
}

TEST_CASE("a let of a let is the same let") {
  const auto h = let(relu(input<batch, 3>{"x"}));
  const auto again = let(h);
  STATIC_REQUIRE(std::same_as<decltype(h), decltype(again)>);
  CHECK(again.held == h.held);
}

TEST_CASE("a let counts as one node") {
  const auto h = let(relu(relu(input<batch, 3>{"x"})));
  STATIC_REQUIRE(decltype(h * h)::size == 3);
}

TEST_CASE("a let in a constant expression") {
  STATIC_REQUIRE([] {
    const auto h = let(relu(input<batch, 3>{"x"}));
    return shape_of(h * h) == shape<batch, 3>::value;
  }());
}
