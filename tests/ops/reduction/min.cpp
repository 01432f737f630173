// SPDX-License-Identifier: MIT
#include "ops/check_reduction.hpp"

namespace koila::test {

TEST_CASE("min") {
  const auto f = [](const auto&... x) { return min(x...); };
  check_values_and_indices(f, [](const at::Tensor& x, auto... chosen) { return at::min(x, chosen...); });
  for (const auto n : batches) {
    check(
        f, [](const at::Tensor& a, const at::Tensor& b) { return at::minimum(a, b); }, per_sample(normal({n, 3})),
        whole(normal({3})));
  }

  const input<any, any> x{"x"};
  const at::Tensor t = at::rand({2, 3}), none = at::rand({0, 3});
  const at::Tensor two = at::rand({2});
  refused([&] { min(t, two); }, "min: [2, 3] x [2]: not broadcastable");
  refused([&] { run(std::get<0>(min(x, 2)), x = t); }, "min: [2, 3], dim 2: dimension out of range");
  refused([&] { run(min(x), x = none); }, "min: [0, 3]: a dim without elements has no such value");
  STATIC_REQUIRE(!Accepts<struct min_values, shape<batch, 3>, decltype(dim = 2_c)>);
}

}  // namespace koila::test
