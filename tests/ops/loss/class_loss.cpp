// SPDX-License-Identifier: MIT
#include <koila/ops/loss/class_loss.hpp>

#include "pch.hpp"

namespace koila::test {

using namespace detail;

TEST_CASE("family: losses of classes") {
  constexpr traced_value x{};
  STATIC_REQUIRE(detail::no_weight(x) == nullptr);
  STATIC_REQUIRE(class_loss_attributes{}.ignore_index.value == -100);
  STATIC_REQUIRE(class_loss_attributes{}.reduction.value == choice::mean);
}

}  // namespace koila::test
