// SPDX-License-Identifier: MIT
#include <koila/ops/loss/loss.hpp>

#include "pch.hpp"

namespace koila::test {

TEST_CASE("family: loss") {
  constexpr dims x({extent{-1, axis_name<struct batch>}, extent{3}}, float32);
  constexpr auto asked = [](choice c) { return attr<choice>(c); };
  STATIC_REQUIRE(rules::reduced(x, asked(choice::mean)).out == scalar(float32));
  STATIC_REQUIRE(rules::reduced(x, asked(choice::sum)).out == scalar(float32));
  STATIC_REQUIRE(rules::reduced(x, asked(choice::none)).out == x);
  STATIC_REQUIRE(rules::reduced(x, asked(choice::batch_mean)).reason == reason::not_an_expected_choice);
  STATIC_REQUIRE(!rules::reduced(x, attr<choice>(choice::mean, false)).out.ranked());
  STATIC_REQUIRE(rules::reduced(x.with(int64), asked(choice::sum)).reason == reason::not_a_floating_type);
  STATIC_REQUIRE(rules::reduced(reason::shapes_differ, asked(choice::sum)).reason == reason::shapes_differ);
  STATIC_REQUIRE(rules::equal_dims(x, x.with(float64)).out == x.with(float64));
  STATIC_REQUIRE(rules::equal_dims(x, dims({extent{2}, extent{3}}, float32)).reason == reason::shapes_differ);
  STATIC_REQUIRE(rules::equal_dims(x, dims(float32)).out == x);
  STATIC_REQUIRE(rules::weighted(x, dims({extent{3}}, float32)).out == x);
  STATIC_REQUIRE(rules::weighted(x, dims({extent{4}}, float32)).reason == reason::not_broadcastable);
  STATIC_REQUIRE(rules::weighted(x, dims({extent{2}, extent{1}, extent{1}}, float32)).reason ==
                 reason::not_broadcastable);
}

}  // namespace koila::test
