// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("cumprod_backward_tangent") {
  const auto f = [](const auto& v, const auto& dy, const auto& x) { return cumprod_backward_tangent(v, dy, x, 1); };
  // For values without zeros, the gradient of cumprod is s / x, where s is the reverse cumulative
  // sum of dy * cumprod(x). Returns the derivative of s / x in the direction v.
  const auto g = [](const at::Tensor& v, const at::Tensor& dy, const at::Tensor& x) {
    const auto from = [](const at::Tensor& t) { return t.flip(1).cumsum(1).flip(1); };
    const at::Tensor y = x.cumprod(1), r = v / x;
    return (from(dy * y * r.cumsum(1)) - from(dy * y) * r) / x;
  };
  for (const auto n : batches)
    check({.gradients = false}, f, g, per_sample(normal({n, 3})), per_sample(normal({n, 3})),
          per_sample(positive({n, 3})));
  const at::Tensor a = at::rand({2, 3}), b = at::rand({2, 4});
  refused([&] { cumprod_backward_tangent(a, a, b, 0); },
          "cumprod_backward_tangent: [2, 3] x [2, 3] x [2, 4], dim 0: shapes differ");
  STATIC_REQUIRE(!Accepts<struct cumprod_backward_tangent, shape<batch, 3>, shape<batch, 3>, shape<batch, 4>>);
}

}  // namespace koila::test
