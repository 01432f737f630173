// SPDX-License-Identifier: MIT
#include "ops/pairs.hpp"

namespace koila::test {

TEST_CASE("bitwise_and") {
  const auto f = [](const auto& a, const auto& b) { return bitwise_and(a, b); };
  const auto g = [](const at::Tensor& a, const at::Tensor& b) { return at::bitwise_and(a, b); };
  check_bits(f, g, [](const auto& a, const auto& b) { return a & b; });
  SECTION("refused") {
    const at::Tensor s = at::rand({2, 3}), i = at::arange(4), j = at::arange(3);
    refused([&] { bitwise_and(s, i); }, "bitwise_and: [2, 3] x int64[4]: not of integers");
    refused([&] { bitwise_and(i, j); }, "bitwise_and: int64[4] x int64[3]: not broadcastable");
    STATIC_REQUIRE(!Accepts<struct bitwise_and, shape<batch, 3>, shape<int64, 3>>);
    STATIC_REQUIRE(!Accepts<struct bitwise_and, shape<int64, 3>, double>);
  }
}

}  // namespace koila::test
