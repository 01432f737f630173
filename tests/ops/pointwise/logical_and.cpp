// SPDX-License-Identifier: MIT
#include "ops/pairs.hpp"

namespace koila::test {

TEST_CASE("logical_and") {
  const auto f = [](const auto& a, const auto& b) { return logical_and(a, b); };
  const auto g = [](const at::Tensor& a, const at::Tensor& b) { return at::logical_and(a, b); };
  check_truths(f, g);
  SECTION("refused") {
    refuses_to_broadcast(f, "logical_and");
    STATIC_REQUIRE(!Accepts<struct logical_and, shape<batch, 3>, shape<batch, 4>>);
  }
}

}  // namespace koila::test
