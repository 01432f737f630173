// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("power") {
  for (const double e : {0.5, 2.0, 3.0, 1.5, 0.25, -0.5, -1.0})
    for (const auto n : batches)
      check([=](const auto& x) { return power(x, exponent = e); }, [=](const at::Tensor& x) { return at::pow(x, e); },
            per_sample(positive({n, 3})));
  // At x = 0, the result is 0 for any exponent of this test. The derivative at 0, if it would be
  // infinite, is 0 too.
  const at::Tensor zero = at::tensor({0.0, -0.0, INFINITY, NAN}, at::kDouble);
  same(power(zero, -0.5), at::tensor({0.0, 0.0, 0.0, NAN}, at::kDouble));
  same(power(zero, 0.5), at::sqrt(zero));
  check(
      {.twice = false}, [](const auto& x) { return power(x, 0.5); },
      [](const at::Tensor& x) { return at::where(x > 0, x, 1.0).sqrt() * (x > 0); },
      per_sample(normal({7, 3}).clamp_min(0)));
  check_typed([](const auto& x) { return power(x, exponent = 2); }, [](const at::Tensor& x) { return x * x; },
              std::pair{input<batch, 3>{}, positive({5, 3}).to(at::kFloat)});
  const at::Tensor whole_numbers = at::ones({2, 3}, at::kLong);
  refused([&] { power(whole_numbers, 0.5); }, "power: int64[2, 3]: not a floating-point dtype");
}

}  // namespace koila::test
