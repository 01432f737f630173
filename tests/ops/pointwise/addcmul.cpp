// SPDX-License-Identifier: MIT
#include "ops/check_addc.hpp"

namespace koila::test {

TEST_CASE("addcmul") {
  const auto f = [](const auto&... x) { return addcmul(x...); };
  const auto g = [](const auto&... x) { return at::addcmul(x...); };
  check_addc(f, g, g, normal, {at::kBFloat16, at::kFloat, at::kDouble},
             {at::kBool, at::kInt, at::kLong, at::kFloat, at::kDouble},
             [](auto s, auto t) { return s != at::kBool || t != at::kBool; });
  SECTION("refused") {
    const at::Tensor x = at::rand({2}), y = at::rand({3});
    refused([&] { addcmul(x, x, y); }, "addcmul: [2] x [2] x [3]: not broadcastable");
    refused([&] { addcmul(y, x, x); }, "addcmul: [3] x [2] x [2]: not broadcastable");
    const at::Tensor m = at::rand({2}) > 0.5;
    refused([&] { addcmul(m, m, m); }, "addcmul: bool[2] x bool[2] x bool[2]: no rule for booleans");
    STATIC_REQUIRE(!Accepts<struct addcmul, shape<3>, shape<4>, shape<3>>);
    STATIC_REQUIRE(!Accepts<struct addcmul, shape<3>, shape<3>, shape<3>, double, double>);
  }
}

}  // namespace koila::test
