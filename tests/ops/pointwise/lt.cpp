// SPDX-License-Identifier: MIT
#include "ops/pairs.hpp"

namespace koila::test {

TEST_CASE("lt") {
  const auto f = [](const auto& a, const auto& b) { return lt(a, b); };
  const auto g = [](const at::Tensor& a, const at::Tensor& b) { return at::lt(a, b); };
  check_comparison(f, g, [](const auto& a, const auto& b) { return a < b; });
  SECTION("refused") {
    refuses_to_broadcast(f, "lt");
    STATIC_REQUIRE(!Accepts<struct lt, shape<batch, 3>, shape<batch, 4>>);
  }
}

}  // namespace koila::test
