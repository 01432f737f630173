// SPDX-License-Identifier: MIT
#include <koila/ops/loss/margin.hpp>

#include "pch.hpp"

namespace koila::test {

using namespace detail;

TEST_CASE("family: margins") {
  constexpr dims x({extent{5}, extent{3}}, float32);
  STATIC_REQUIRE(rules::broadcast_all(x, dims({extent{3}}, float64), scalar(int64)).out == x.with(float64));
  STATIC_REQUIRE(rules::broadcast_all(dims({extent{3}}, float32), dims({extent{1}}, float32), x).out == x);
  STATIC_REQUIRE(rules::broadcast_all(x, x, dims({extent{2}}, float32)).reason == reason::not_broadcastable);
  STATIC_REQUIRE(rules::broadcast_all(x, dims({extent{2}}, float32), x).reason == reason::not_broadcastable);
  STATIC_REQUIRE(margin_attributes{}.margin.value == 0);
  STATIC_REQUIRE(wide_margin_attributes{}.margin.value == 1);
}

}  // namespace koila::test
