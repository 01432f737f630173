// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("cumprod_tangent") {
  const auto f = [](const auto& v, const auto& x) { return cumprod_tangent(v, x, 1); };
  const auto g = [](const at::Tensor& v, const at::Tensor& x) { return x.cumprod(1) * (v / x).cumsum(1); };
  for (const auto n : batches)
    check({.gradients = false}, f, g, per_sample(normal({n, 3})), per_sample(positive({n, 3})));
  const at::Tensor zeros = at::tensor({0.0, 2.0, 0.0}, at::kDouble), v = at::tensor({3.0, 5.0, 7.0}, at::kDouble);
  same(cumprod_tangent(v, zeros, 0), at::tensor({3.0, 6.0, 0.0}, at::kDouble));
  const at::Tensor a = at::rand({2, 3}), b = at::rand({2, 4});
  refused([&] { cumprod_tangent(a, b, 0); }, "cumprod_tangent: [2, 3] x [2, 4], dim 0: shapes differ");
  STATIC_REQUIRE(!Accepts<struct cumprod_tangent, shape<batch, 3>, shape<batch, 4>>);
}

}  // namespace koila::test
