// SPDX-License-Identifier: MIT
#include "ops/pairs.hpp"

namespace koila::test {

TEST_CASE("floor_divide") {
  const auto f = [](const auto& a, const auto& b) { return koila::floor_divide(a, b); };
  const auto g = [](const at::Tensor& a, const at::Tensor& b) {
    // The same function: LibTorch's floor_divide is not differentiable.
    return at::div(a, b, "floor");
  };
  check_pairs(f, g, normal, positive, {at::kInt, at::kLong, at::kBFloat16, at::kFloat, at::kDouble},
              {at::kInt, at::kLong, at::kFloat, at::kDouble});
  SECTION("as LibTorch's") {
    const at::Tensor a = at::arange(-6, 6), b = at::tensor({-5.0, -2.0, -0.3, 0.7, 2.0, 3.0}).view({6, 1});
    same(f(a, b), at::floor_divide(a, b));
    same(f(a, -4), at::floor_divide(a, at::tensor(-4)));
  }
  SECTION("refused") {
    refuses_to_broadcast(f, "floor_divide");
    const at::Tensor m = at::rand({2}) > 0.5;
    refused([&] { floor_divide(m, m); }, "floor_divide: bool[2] x bool[2]: no rule for booleans");
    STATIC_REQUIRE(!Accepts<struct floor_divide, shape<batch, 3>, shape<batch, 4>>);
  }
}

}  // namespace koila::test
