// SPDX-License-Identifier: MIT
#include "ops/check_lines.hpp"

namespace koila::test {

TEST_CASE("softmax") {
  const auto f = [](const auto&... x) { return softmax(x...); };
  check_softmax(f, [](const at::Tensor& x, auto... chosen) { return at::softmax(x, chosen...); });

  const input<dtype::unknown, any, any> x{"x"};
  const at::Tensor t = at::rand({2, 3}), whole_numbers = at::ones({2, 3}, at::kLong);
  refused([&] { run(softmax(x, dim = 2), x = t); }, "softmax: [2, 3], dim 2: dimension out of range");
  refused([&] { run(softmax(x, dim = 1), x = whole_numbers); },
          "softmax: int64[2, 3], dim 1: not a floating-point dtype");
  refused([&] { softmax(t, dim = 2); }, "softmax: [2, 3], dim 2: dimension out of range");
}

}  // namespace koila::test
