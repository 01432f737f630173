// SPDX-License-Identifier: MIT
#include "ops/pairs.hpp"

namespace koila::test {

TEST_CASE("true_divide") {
  const auto f = [](const auto& a, const auto& b) { return koila::true_divide(a, b); };
  const auto g = [](const at::Tensor& a, const at::Tensor& b) { return at::true_divide(a, b); };
  check_pairs(f, g, normal, positive, {at::kInt, at::kLong, at::kBFloat16, at::kFloat, at::kDouble},
              {at::kBool, at::kInt, at::kLong, at::kFloat, at::kDouble});
  SECTION("refused") {
    refuses_to_broadcast(f, "true_divide");
    STATIC_REQUIRE(!Accepts<struct true_divide, shape<batch, 3>, shape<batch, 4>>);
  }
}

}  // namespace koila::test
