// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("prod_over") {
  for (const auto n : batches) {
    check([](const auto& x) { return prod_over(x); }, [](const at::Tensor& x) { return at::prod(x); },
          per_sample(positive({n, 3})));
    check([](const auto& x) { return prod_over(x, 0, keepdim = true); },
          [](const at::Tensor& x) { return at::prod(x, 0, true); }, per_sample(positive({2, n}), 1));
    check([](const auto& x) { return prod_over(x, -1); }, [](const at::Tensor& x) { return at::prod(x, -1); },
          per_sample(positive({2, n}), 1));
  }
  const at::Tensor t = at::rand({2, 3});
  refused([&] { prod_over(t, 2); }, "prod_over: [2, 3], dim 2: dimension out of range");
  STATIC_REQUIRE(!Accepts<struct prod_over, shape<batch, 3>, decltype(dim = 2_c)>);
}

}  // namespace koila::test
