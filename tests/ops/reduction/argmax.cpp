// SPDX-License-Identifier: MIT
#include "ops/check_reduction.hpp"

namespace koila::test {

TEST_CASE("argmax") {
  const auto f = [](const auto&... x) { return argmax(x...); };
  check_position(f, [](const at::Tensor& x, auto... chosen) { return at::argmax(x, chosen...); });

  const input<dtype::unknown, any, any> x{"x"};
  const at::Tensor t = at::rand({2, 3}), none = at::rand({0, 3}), truth = at::ones({2, 3}, at::kBool);
  refused([&] { run(argmax(x, dim = 2), x = t); }, "argmax: [2, 3], dim 2: dimension out of range");
  refused([&] { run(argmax(x, dim = 0), x = none); },
          "argmax: [0, 3], dim 0: a dim without elements has no such value");
  refused([&] { run(argmax(x), x = truth); }, "argmax: bool[2, 3]: no rule for booleans");
  STATIC_REQUIRE(!Accepts<struct argmax, shape<batch, 3>, decltype(dim = 2_c)>);
}

}  // namespace koila::test
