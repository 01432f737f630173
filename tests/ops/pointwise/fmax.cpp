// SPDX-License-Identifier: MIT
#include "ops/pairs.hpp"

namespace koila::test {

TEST_CASE("fmax") {
  const auto f = [](const auto& a, const auto& b) { return koila::fmax(a, b); };
  const auto g = [](const at::Tensor& a, const at::Tensor& b) { return at::fmax(a, b); };
  check_pairs(f, g, normal, normal, {at::kInt, at::kLong, at::kBFloat16, at::kFloat, at::kDouble},
              {at::kBool, at::kInt, at::kLong, at::kFloat, at::kDouble});
  SECTION("equal values: a is taken") { check({.twice = false}, f, g, broadcasting_pairs(few, few)); }
  SECTION("NaN has no gradient, and is none where there is another") { check_beside_nan(f, g); }
  SECTION("refused") {
    refuses_to_broadcast(f, "fmax");
    STATIC_REQUIRE(!Accepts<struct ops::fmax, shape<batch, 3>, shape<batch, 4>>);
  }
}

}  // namespace koila::test
