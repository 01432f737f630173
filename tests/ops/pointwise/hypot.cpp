// SPDX-License-Identifier: MIT
#include "ops/pairs.hpp"

namespace koila::test {

TEST_CASE("hypot") {
  const auto f = [](const auto& a, const auto& b) { return koila::hypot(a, b); };
  const auto g = [](const at::Tensor& a, const at::Tensor& b) { return at::hypot(a, b); };
  check_pairs(f, g, normal, normal, {at::kBFloat16, at::kFloat, at::kDouble}, {at::kFloat, at::kDouble});
  SECTION("refused") {
    refuses_to_broadcast(f, "hypot");
    const at::Tensor i = at::arange(2);
    refused([&] { koila::hypot(i, i); }, "hypot: int64[2] x int64[2]: not a floating-point dtype");
    STATIC_REQUIRE(!Accepts<struct ops::hypot, shape<batch, 3>, shape<batch, 4>>);
  }
}

}  // namespace koila::test
