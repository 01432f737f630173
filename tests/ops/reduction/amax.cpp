// SPDX-License-Identifier: MIT
#include "ops/check_reduction.hpp"

namespace koila::test {

TEST_CASE("amax") {
  const auto f = [](const auto&... x) { return amax(x...); };
  check_extremum(f, [](const at::Tensor& x, auto... chosen) { return at::amax(x, chosen...); });

  const input<any, any> x{"x"};
  const at::Tensor t = at::rand({2, 3}), none = at::rand({0, 3});
  refused([&] { run(amax(x, dim = 2), x = t); }, "amax: [2, 3], dim 2: dimension out of range");
  refused([&] { run(amax(x, dim = 0), x = none); }, "amax: [0, 3], dim 0: a dim without elements has no such value");
  refused([&] { amax(none); }, "amax: [0, 3]: a dim without elements has no such value");
  STATIC_REQUIRE(!Accepts<struct amax, shape<batch, 3>, decltype(list_of(1_c, 1_c))>);
}

}  // namespace koila::test
