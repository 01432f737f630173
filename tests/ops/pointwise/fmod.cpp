// SPDX-License-Identifier: MIT
#include "ops/pairs.hpp"

namespace koila::test {

TEST_CASE("fmod") {
  const auto f = [](const auto& a, const auto& b) { return koila::fmod(a, b); };
  const auto g = [](const at::Tensor& a, const at::Tensor& b) { return at::fmod(a, b); };
  check_pairs(f, g, normal, positive, {at::kInt, at::kLong, at::kBFloat16, at::kFloat, at::kDouble},
              {at::kInt, at::kLong, at::kFloat, at::kDouble});
  SECTION("refused") {
    refuses_to_broadcast(f, "fmod");
    const at::Tensor m = at::rand({2}) > 0.5;
    refused([&] { koila::fmod(m, m); }, "fmod: bool[2] x bool[2]: no rule for booleans");
    STATIC_REQUIRE(!Accepts<struct ops::fmod, shape<batch, 3>, shape<batch, 4>>);
  }
}

}  // namespace koila::test
