// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("fma") {
  const auto f = [](const auto& a, const auto& b, const auto& c) { return koila::fma(a, b, c); };
  const auto g = [](const at::Tensor& a, const at::Tensor& b, const at::Tensor& c) { return at::addcmul(c, a, b); };
  for (const auto n : {0, 1, 3, 8}) {
    check(f, g, per_sample(normal({n, 3})), per_sample(normal({n, 3})), per_sample(normal({n, 3})));
    check(f, g, per_sample(normal({2, n}), 1), whole(normal({2, 1})), whole(normal({})));
    check(f, g, whole(normal({3})), whole(normal({2, 1, 1})), per_sample(normal({n, 1})));
  }
  check([](const auto& x) { return koila::fma(x, 2, 0.5); }, [](const at::Tensor& x) { return x * 2 + 0.5; },
        per_sample(normal({5, 3})));
  check_typed(f, g, std::pair{input<4, batch>{}, normal({4, 5}).to(at::kFloat)},
              std::pair{parameter<4, 1>{}, normal({4, 1}).to(at::kFloat)},
              std::pair{parameter<>{}, normal({}).to(at::kFloat)});

  const at::Tensor odd = at::tensor({NAN, INFINITY, -INFINITY, 0.0F, -0.0F, 1e30F, -1e30F});
  same(f(odd, odd, 1), at::addcmul(at::ones({}), odd, odd));
  same(f(at::arange(4), 3, 1), at::arange(4) * 3 + 1);

  const at::Tensor x = at::rand({2}), y = at::rand({3}), m = x > 0;
  refused([&] { koila::fma(x, x, y); }, "fma: [2] x [2] x [3]: not broadcastable");
  refused([&] { koila::fma(m, m, m); }, "fma: bool[2] x bool[2] x bool[2]: no rule for booleans");
  STATIC_REQUIRE(!Accepts<struct ops::fma, shape<3>, shape<4>, shape<3>>);
}

}  // namespace koila::test
