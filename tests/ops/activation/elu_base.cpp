// SPDX-License-Identifier: MIT
#include <koila/ops/activation/celu.hpp>
#include <koila/ops/activation/elu.hpp>
#include <koila/ops/activation/elu_base.hpp>
#include <koila/ops/activation/selu.hpp>

#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("elu, selu and celu are one kernel") {
  STATIC_REQUIRE(elu.factors({}) == elu_attributes{});
  STATIC_REQUIRE(elu.factors({.alpha = 2.0}) == elu_attributes{.alpha = 2.0});
  STATIC_REQUIRE(celu.factors({.alpha = 2.0}) == elu_attributes{.alpha = 2.0, .input_scale = 0.5});
  STATIC_REQUIRE(selu.factors({}).input_scale.value == 1);
}

}  // namespace koila::test
