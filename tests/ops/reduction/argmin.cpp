// SPDX-License-Identifier: MIT
#include "ops/check_reduction.hpp"

namespace koila::test {

TEST_CASE("argmin") {
  const auto f = [](const auto&... x) { return argmin(x...); };
  check_position(f, [](const at::Tensor& x, auto... chosen) { return at::argmin(x, chosen...); });

  const input<dtype::unknown, any, any> x{"x"};
  const at::Tensor t = at::rand({2, 3}), none = at::rand({0, 3}), truth = at::ones({2, 3}, at::kBool);
  refused([&] { run(argmin(x, dim = 2), x = t); }, "argmin: [2, 3], dim 2: dimension out of range");
  refused([&] { run(argmin(x, dim = 0), x = none); },
          "argmin: [0, 3], dim 0: a dim without elements has no such value");
  refused([&] { run(argmin(x), x = truth); }, "argmin: bool[2, 3]: no rule for booleans");
  STATIC_REQUIRE(!Accepts<struct argmin, shape<batch, 3>, decltype(dim = 2_c)>);
}

}  // namespace koila::test
