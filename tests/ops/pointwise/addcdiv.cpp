// SPDX-License-Identifier: MIT
#include "ops/check_addc.hpp"

namespace koila::test {

TEST_CASE("addcdiv") {
  const auto f = [](const auto&... x) { return addcdiv(x...); };
  const auto g = [](const auto&... x) { return at::addcdiv(x...); };
  const auto mixed = [](const auto& x, const auto& a, const auto& b) {
    return x + a / b;
  };  // LibTorch's operator throws in autograd
  check_addc(f, g, mixed, positive, {at::kFloat, at::kDouble}, {at::kInt, at::kLong, at::kFloat, at::kDouble},
             [](auto s, auto t) { return at::isFloatingType(s) || at::isFloatingType(t); });
  SECTION("refused") {
    const at::Tensor x = at::rand({2}), y = at::rand({3});
    refused([&] { addcdiv(x, x, y); }, "addcdiv: [2] x [2] x [3]: not broadcastable");
    refused([&] { addcdiv(y, x, x); }, "addcdiv: [3] x [2] x [2]: not broadcastable");
    const at::Tensor i = at::arange(2);
    refused([&] { addcdiv(x, i, i); }, "addcdiv: [2] x int64[2] x int64[2]: not a floating-point dtype");
    STATIC_REQUIRE(!Accepts<struct addcdiv, shape<3>, shape<int64, 3>, shape<int64, 3>>);
    STATIC_REQUIRE(!Accepts<struct addcdiv, shape<3>, shape<4>, shape<3>>);
    STATIC_REQUIRE(!Accepts<struct addcdiv, shape<3>, shape<3>, shape<3>, double, double>);
  }
}

}  // namespace koila::test
