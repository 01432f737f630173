// SPDX-License-Identifier: MIT
#include "ops/pairs.hpp"

namespace koila::test {

TEST_CASE("ge") {
  const auto f = [](const auto& a, const auto& b) { return ge(a, b); };
  const auto g = [](const at::Tensor& a, const at::Tensor& b) { return at::ge(a, b); };
  check_comparison(f, g, [](const auto& a, const auto& b) { return a >= b; });
  SECTION("refused") {
    refuses_to_broadcast(f, "ge");
    STATIC_REQUIRE(!Accepts<struct ge, shape<batch, 3>, shape<batch, 4>>);
  }
}

}  // namespace koila::test
