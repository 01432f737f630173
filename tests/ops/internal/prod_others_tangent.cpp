// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("prod_others_tangent") {
  const auto f = [](const auto& v, const auto& x) { return prod_others_tangent(v, x, 1); };
  const auto g = [](const at::Tensor& v, const at::Tensor& x) {  // the formula for 3 elements
    const auto a = [](const at::Tensor& t, int i) { return t.select(1, i); };
    return at::stack({a(v, 1) * a(x, 2) + a(x, 1) * a(v, 2), a(v, 0) * a(x, 2) + a(x, 0) * a(v, 2),
                      a(v, 0) * a(x, 1) + a(x, 0) * a(v, 1)},
                     1);
  };
  for (const auto n : batches)
    check({.gradients = false}, f, g, per_sample(normal({n, 3})), per_sample(normal({n, 3})));
  const at::Tensor a = at::rand({2, 3}), b = at::rand({2, 4});
  refused([&] { prod_others_tangent(a, b); }, "prod_others_tangent: [2, 3] x [2, 4]: shapes differ");
  STATIC_REQUIRE(!Accepts<struct prod_others_tangent, shape<batch, 3>, shape<batch, 4>>);
}

}  // namespace koila::test
