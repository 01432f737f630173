// SPDX-License-Identifier: MIT
#include "ops/check_reduction.hpp"

namespace koila::test {

TEST_CASE("median") {
  const auto f = [](const auto&... x) { return median(x...); };
  check_values_and_indices(f, [](const at::Tensor& x, auto... chosen) { return at::median(x, chosen...); });

  const input<any, any> x{"x"};
  const at::Tensor t = at::rand({2, 3}), none = at::rand({0, 3});
  refused([&] { run(std::get<0>(median(x, 2)), x = t); }, "median: [2, 3], dim 2: dimension out of range");
  refused([&] { run(median(x), x = none); }, "median: [0, 3]: a dim without elements has no such value");
  STATIC_REQUIRE(!Accepts<struct median_values, shape<batch, 3>, decltype(dim = 2_c)>);
}

}  // namespace koila::test
