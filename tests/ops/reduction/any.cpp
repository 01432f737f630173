// SPDX-License-Identifier: MIT
#include "ops/check_reduction.hpp"

namespace koila::test {

TEST_CASE("any") {
  const auto f = [](const auto&... x) { return any(x...); };
  check_whether(f, [](const at::Tensor& x, auto... chosen) { return at::any(x, chosen...); });

  const input<any, any> x{"x"};
  const at::Tensor two = at::rand({2, 3});
  refused([&] { run(any(x, dim = 2), x = two); }, "any: [2, 3], dim 2: dimension out of range");
}

}  // namespace koila::test
