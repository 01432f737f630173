// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("detach") {
  const ask by_design{.quotients = false};
  for (const auto& s : some_sizes(1))
    check(
        by_design, [](const auto& x) { return mul(x, detach(x)); }, [](const at::Tensor& x) { return x * x.detach(); },
        per_sample(normal(s.sizes), s.batch));
  check(
      by_design, [](const auto& x) { return detach(x); }, [](const at::Tensor& x) { return x.detach(); },
      whole(normal({3, 4})));
  check(
      by_design, [](const auto& x) { return sum(detach(transpose(x, 0, 1)), 1); },
      [](const at::Tensor& x) { return x.detach().sum(0); }, per_sample(normal({5, 3})));
  check(
      by_design, [](const auto& x, const auto& w) { return mul(detach(matmul(x, w)), x); },
      [](const at::Tensor& x, const at::Tensor& w) { return at::matmul(x, w).detach() * x; },
      per_sample(normal({5, 3})), whole(normal({3, 3})));
  STATIC_REQUIRE(!Accepts<struct detach, shape<batch, 3>, decltype(kernel_size = 1_c)>);
}

}  // namespace koila::test
