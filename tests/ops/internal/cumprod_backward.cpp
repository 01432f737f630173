// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("cumprod_backward") {
  // The derivatives of this op are used for second derivatives of cumprod. They have no derivatives
  // themselves.
  const ask once{.twice = false};
  const auto f = [](int d) { return [=](const auto& dy, const auto& x) { return cumprod_backward(dy, x, d); }; };
  // For values without zeros, the reference can divide by x.
  const auto g = [](int d) {
    return [=](const at::Tensor& dy, const at::Tensor& x) { return (dy * x.cumprod(d)).flip(d).cumsum(d).flip(d) / x; };
  };
  for (const auto n : batches) {
    check(once, f(1), g(1), per_sample(normal({n, 3})), per_sample(positive({n, 3})));
    check(once, f(-1), g(-1), per_sample(normal({2, n, 4}), 1), per_sample(positive({2, n, 4}), 1));
    // For a single element the derivative with respect to x is 0, but the division in the reference
    // leaves a rounding error.
    if (n != 1) check(once, f(0), g(0), per_sample(normal({n, 2})), per_sample(positive({n, 2})));
  }
  const at::Tensor a = at::rand({2, 3}), b = at::rand({2, 4});
  refused([&] { cumprod_backward(a, b, 0); }, "cumprod_backward: [2, 3] x [2, 4], dim 0: shapes differ");
  STATIC_REQUIRE(!Accepts<struct cumprod_backward, shape<batch, 3>, shape<batch, 4>>);
  const at::Tensor wide = a.to(at::kDouble);
  refused([&] { cumprod_backward(wide, a, 0); }, "cumprod_backward: float64[2, 3] x [2, 3], dim 0: dtypes differ");
}

}  // namespace koila::test
