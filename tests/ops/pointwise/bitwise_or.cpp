// SPDX-License-Identifier: MIT
#include "ops/pairs.hpp"

namespace koila::test {

TEST_CASE("bitwise_or") {
  const auto f = [](const auto& a, const auto& b) { return bitwise_or(a, b); };
  const auto g = [](const at::Tensor& a, const at::Tensor& b) { return at::bitwise_or(a, b); };
  check_bits(f, g, [](const auto& a, const auto& b) { return a | b; });
  SECTION("refused") {
    const at::Tensor s = at::rand({2, 3}), i = at::arange(4), j = at::arange(3);
    refused([&] { bitwise_or(s, i); }, "bitwise_or: [2, 3] x int64[4]: not of integers");
    refused([&] { bitwise_or(i, j); }, "bitwise_or: int64[4] x int64[3]: not broadcastable");
    STATIC_REQUIRE(!Accepts<struct bitwise_or, shape<batch, 3>, shape<int64, 3>>);
    STATIC_REQUIRE(!Accepts<struct bitwise_or, shape<int64, 3>, double>);
  }
}

}  // namespace koila::test
