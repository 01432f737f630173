// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("prod_others") {
  // The derivatives of this op are used for second derivatives of prod. They have no derivatives
  // themselves.
  const ask once{.twice = false};
  const auto along = [](int d) { return [=](const auto& x) { return prod_others(x, d); }; };
  const auto all = [](const auto& x) { return prod_others(x); };
  // The formula for 3 elements.
  const auto three = [](const at::Tensor& x) {
    return at::stack(
        {x.select(1, 1) * x.select(1, 2), x.select(1, 0) * x.select(1, 2), x.select(1, 0) * x.select(1, 1)}, 1);
  };
  const auto divided = [](int d) { return [=](const at::Tensor& x) { return x.prod(d, true) / x; }; };
  for (const auto n : batches) {
    check(once, along(1), three, per_sample(normal({n, 3})));
    check(once, along(-1), divided(-1), per_sample(positive({2, n, 4}), 1));
    if (n > 0) check(once, along(0), divided(0), per_sample(positive({n, 2})));
    if (n > 0) check(once, all, [](const at::Tensor& x) { return x.prod() / x; }, per_sample(positive({2, n}), 1));
  }
  const at::Tensor zeros = at::tensor({2.0, 0.0, 3.0, 0.0, 0.0, 5.0}, at::kDouble).view({2, 3});
  check(once, along(1), three, per_sample(zeros));
  check(once, along(0), [](const at::Tensor& x) { return at::ones_like(x); }, whole(normal({})));
  refused([&] { prod_others(zeros, 2); }, "prod_others: float64[2, 3], dim 2: dimension out of range");
  STATIC_REQUIRE(!Accepts<struct prod_others, shape<batch, 3>, decltype(dim = 2_c)>);
}

}  // namespace koila::test
