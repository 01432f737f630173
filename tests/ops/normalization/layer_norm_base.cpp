// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

#include <koila/ops/normalization/layer_norm_base.hpp>

namespace koila::test::layer_norms {

TEST_CASE("rows of layer_norm are added up in parts that depend on nothing but their number") {
  STATIC_REQUIRE(rules::parts_of_rows(0) == 1);
  STATIC_REQUIRE(rules::parts_of_rows(511) == 1);
  STATIC_REQUIRE(rules::parts_of_rows(512) == 2);
  STATIC_REQUIRE(rules::parts_of_rows(4095) == 15);
  STATIC_REQUIRE(rules::parts_of_rows(1 << 20) == 16);
}

}  // namespace koila::test::layer_norms
