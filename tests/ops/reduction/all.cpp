// SPDX-License-Identifier: MIT
#include "ops/check_reduction.hpp"

namespace koila::test {

TEST_CASE("all") {
  const auto f = [](const auto&... x) { return all(x...); };
  check_whether(f, [](const at::Tensor& x, auto... chosen) { return at::all(x, chosen...); });

  const input<any, any> x{"x"};
  const at::Tensor two = at::rand({2, 3});
  refused([&] { run(all(x, dim = 2), x = two); }, "all: [2, 3], dim 2: dimension out of range");
}

}  // namespace koila::test
