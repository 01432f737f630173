// SPDX-License-Identifier: MIT
#include "ops/pairs.hpp"

namespace koila::test {

TEST_CASE("minimum") {
  const auto f = [](const auto& a, const auto& b) { return koila::minimum(a, b); };
  const auto g = [](const at::Tensor& a, const at::Tensor& b) { return at::minimum(a, b); };
  check_pairs(f, g, normal, normal, {at::kBool, at::kInt, at::kLong, at::kBFloat16, at::kFloat, at::kDouble},
              {at::kBool, at::kInt, at::kLong, at::kFloat, at::kDouble});
  SECTION("equal values: each gets half of the gradient, as LibTorch's") {
    check({.twice = false}, f, g, broadcasting_pairs(few, few));
  }
  SECTION("refused") {
    refuses_to_broadcast(f, "minimum");
    STATIC_REQUIRE(!Accepts<struct minimum, shape<batch, 3>, shape<batch, 4>>);
  }
}

}  // namespace koila::test
