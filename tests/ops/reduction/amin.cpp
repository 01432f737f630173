// SPDX-License-Identifier: MIT
#include "ops/check_reduction.hpp"

namespace koila::test {

TEST_CASE("amin") {
  const auto f = [](const auto&... x) { return amin(x...); };
  check_extremum(f, [](const at::Tensor& x, auto... chosen) { return at::amin(x, chosen...); });

  const input<any, any> x{"x"};
  const at::Tensor t = at::rand({2, 3}), none = at::rand({0, 3});
  refused([&] { run(amin(x, dim = 2), x = t); }, "amin: [2, 3], dim 2: dimension out of range");
  refused([&] { run(amin(x, dim = 0), x = none); }, "amin: [0, 3], dim 0: a dim without elements has no such value");
  refused([&] { amin(none); }, "amin: [0, 3]: a dim without elements has no such value");
  STATIC_REQUIRE(!Accepts<struct amin, shape<batch, 3>, decltype(list_of(1_c, 1_c))>);
}

}  // namespace koila::test
