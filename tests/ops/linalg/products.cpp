// SPDX-License-Identifier: MIT
#include <koila/ops/linalg/products.hpp>

#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("products added to something") {
  constexpr dims product({extent(5), extent(3)}, float32);
  constexpr auto blend = [](const dims& input, const dims& p, double beta = 1, double alpha = 1) {
    return rules::blend(input, p, {.beta = beta, .alpha = alpha});
  };
  STATIC_REQUIRE(blend(dims({extent(3)}, float32), product).out == product);
  STATIC_REQUIRE(blend(dims({extent(5), extent(1)}, float32), product).out == product);
  STATIC_REQUIRE(blend(dims(), product).out == product);
  STATIC_REQUIRE(blend(dims({extent(5)}, float32), product).reason == reason::not_broadcastable);
  STATIC_REQUIRE(blend(dims({extent(1), extent(5), extent(3)}, float32), product).reason == reason::not_broadcastable);
  STATIC_REQUIRE(blend(dims({extent(3)}, float64), product).reason == reason::dtypes_differ);
  STATIC_REQUIRE(rules::blend(product, reason::inner_dimensions_differ, {}).reason == reason::inner_dimensions_differ);

  // Integer operands require integer factors.
  STATIC_REQUIRE(blend(product.with(int64), product.with(int64), 2, -3).accepted());
  STATIC_REQUIRE(blend(product.with(int64), product.with(int64), 0.5).reason == reason::not_integers);
  STATIC_REQUIRE(blend(product.with(int64), product.with(int64), 1, 1e300).reason == reason::not_integers);
}

}  // namespace koila::test
