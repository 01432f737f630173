// SPDX-License-Identifier: MIT
#include "ops/check_lines.hpp"

namespace koila::test {

TEST_CASE("log_softmax_backward") {
  const auto f = [](const auto&... x) { return log_softmax_backward(x...); };
  const auto g = [](const at::Tensor& dy, const at::Tensor& y, int d) {
    return at::_log_softmax_backward_data(dy, y, d, y.scalar_type());
  };
  check_softmax_backward(f, g, [](const at::Tensor& x, int d) { return at::log_softmax(x, d); });

  const input<any, any> dy{"dy"}, y{"y"};
  const at::Tensor t = at::rand({2, 3}), u = at::rand({2, 4});
  refused([&] { run(log_softmax_backward(dy, y, dim = 2), dy = t, y = t); },
          "log_softmax_backward: [2, 3] x [2, 3], dim 2: dimension out of range");
  refused([&] { run(log_softmax_backward(dy, y, dim = 1), dy = t, y = u); },
          "log_softmax_backward: [2, 3] x [2, 4], dim 1: shapes differ");
  const at::Tensor wide = t.to(at::kDouble);
  refused([&] { log_softmax_backward(wide, t, dim = 1); },
          "log_softmax_backward: float64[2, 3] x [2, 3], dim 1: dtypes differ");
}

}  // namespace koila::test
