// SPDX-License-Identifier: MIT
#include "ops/check_lines.hpp"

namespace koila::test {

TEST_CASE("log_softmax") {
  const auto f = [](const auto&... x) { return log_softmax(x...); };
  check_softmax(f, [](const at::Tensor& x, auto... chosen) { return at::log_softmax(x, chosen...); });

  const input<dtype::unknown, any, any> x{"x"};
  const at::Tensor t = at::rand({2, 3}), whole_numbers = at::ones({2, 3}, at::kLong);
  refused([&] { run(log_softmax(x, dim = 2), x = t); }, "log_softmax: [2, 3], dim 2: dimension out of range");
  refused([&] { run(log_softmax(x, dim = 1), x = whole_numbers); },
          "log_softmax: int64[2, 3], dim 1: not a floating-point dtype");
  refused([&] { log_softmax(t, dim = 2); }, "log_softmax: [2, 3], dim 2: dimension out of range");
}

}  // namespace koila::test
