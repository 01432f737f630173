// SPDX-License-Identifier: MIT
#include "ops/check_reduction.hpp"

namespace koila::test {

TEST_CASE("max") {
  const auto f = [](const auto&... x) { return max(x...); };
  check_values_and_indices(f, [](const at::Tensor& x, auto... chosen) { return at::max(x, chosen...); });
  for (const auto n : batches) {
    check(
        f, [](const at::Tensor& a, const at::Tensor& b) { return at::maximum(a, b); }, per_sample(normal({n, 3})),
        whole(normal({3})));
  }

  const input<any, any> x{"x"};
  const at::Tensor t = at::rand({2, 3}), none = at::rand({0, 3});
  const at::Tensor two = at::rand({2});
  refused([&] { max(t, two); }, "max: [2, 3] x [2]: not broadcastable");
  refused([&] { run(std::get<0>(max(x, 2)), x = t); }, "max: [2, 3], dim 2: dimension out of range");
  refused([&] { run(max(x), x = none); }, "max: [0, 3]: a dim without elements has no such value");
  STATIC_REQUIRE(!Accepts<struct max_values, shape<batch, 3>, decltype(dim = 2_c)>);
}

}  // namespace koila::test
