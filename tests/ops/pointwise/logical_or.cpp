// SPDX-License-Identifier: MIT
#include "ops/pairs.hpp"

namespace koila::test {

TEST_CASE("logical_or") {
  const auto f = [](const auto& a, const auto& b) { return logical_or(a, b); };
  const auto g = [](const at::Tensor& a, const at::Tensor& b) { return at::logical_or(a, b); };
  check_truths(f, g);
  SECTION("refused") {
    refuses_to_broadcast(f, "logical_or");
    STATIC_REQUIRE(!Accepts<struct logical_or, shape<batch, 3>, shape<batch, 4>>);
  }
}

}  // namespace koila::test
