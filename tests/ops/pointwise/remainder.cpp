// SPDX-License-Identifier: MIT
#include "ops/pairs.hpp"

namespace koila::test {

TEST_CASE("remainder") {
  const auto f = [](const auto& a, const auto& b) { return koila::remainder(a, b); };
  const auto g = [](const at::Tensor& a, const at::Tensor& b) { return at::remainder(a, b); };
  check_pairs(f, g, normal, positive, {at::kInt, at::kLong, at::kBFloat16, at::kFloat, at::kDouble},
              {at::kInt, at::kLong, at::kFloat, at::kDouble});
  SECTION("the operator") {
    const input<batch, 2> x{"x"};
    const at::Tensor t = normal({5, 2}).to(at::kFloat);  // (samples, 2)
    same(run(x % 2, x = t), t % 2);
    same(run(2.5 % x, x = t), at::remainder(2.5, t));
    same(run(x % t, x = t), t % t);
  }
  SECTION("refused") {
    refuses_to_broadcast(f, "remainder");
    const at::Tensor m = at::rand({2}) > 0.5;
    refused([&] { koila::remainder(m, m); }, "remainder: bool[2] x bool[2]: no rule for booleans");
    STATIC_REQUIRE(!Accepts<struct ops::remainder, shape<batch, 3>, shape<batch, 4>>);
  }
}

}  // namespace koila::test
