// SPDX-License-Identifier: MIT
#include <koila/ops/activation/activation.hpp>
#include <koila/ops/activation/leaky_relu.hpp>

#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("activations and their pull-backs") {
  constexpr auto x = [](dtype t) { return dims({extent(5), extent(3)}, t); };
  STATIC_REQUIRE(activation<struct leaky_relu>::rule(x(bfloat16)).out == x(bfloat16));
  STATIC_REQUIRE(activation<struct leaky_relu>::rule(dims()).accepted());
  STATIC_REQUIRE(activation<struct leaky_relu>::rule(x(int64)).reason == reason::not_a_floating_type);
  STATIC_REQUIRE(activation<struct leaky_relu>::flow({x(float32), samples_along(1, 2, 3)}, x(float32)).out ==
                 samples_along(1, 2, 3));

  using backward = activation_backward<struct leaky_relu_backward>;
  STATIC_REQUIRE(backward::rule(x(float32), x(float32)).out == x(float32));
  STATIC_REQUIRE(backward::rule(x(float32), dims({extent(5), extent(4)}, float32)).reason == reason::not_broadcastable);
  STATIC_REQUIRE(backward::flow({x(float32), {}}, {x(float32), samples_along(0)}, x(float32)).out == samples_along(0));
  STATIC_REQUIRE(backward::cost(x(float64), x(float64), x(float64)).bytes == 3 * 15 * 8);

  STATIC_REQUIRE(attributes_from<struct leaky_relu>(0.5).negative_slope.value == 0.5);
  STATIC_REQUIRE(attributes_from<struct leaky_relu>(negative_slope = 2).negative_slope.value == 2);
}

}  // namespace koila::test
