// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

#include <ATen/ops/affine_grid_generator.h>

namespace koila::test {

TEST_CASE("grid_line") {
  // The first coordinates of the identity's grid.
  const auto want = [](const at::Tensor& x, std::int64_t n, bool corners) {
    const at::Tensor identity = at::eye(2, 3, x.options()).unsqueeze(0);
    return at::affine_grid_generator(identity, {1, 1, 1, n}, corners).select(3, 0).flatten() + 0 * x.sum();
  };
  for (const std::int64_t n : {1, 2, 3, 40})
    for (const bool corners : {false, true}) {
      CAPTURE(n, corners);
      const auto f = [=](const auto& x) { return grid_line(x, ops::steps = n, align_corners = corners); };
      const auto g = [&](const at::Tensor& x) { return want(x, n, corners); };
      check({.gradients = false}, f, g, per_sample(normal({5, 2})));
      check({.gradients = false}, f, g, whole(normal({})));
    }
  const at::Tensor x = at::rand({2, 3}), whole_numbers = at::ones({2, 3}, at::kLong);
  refused([&] { grid_line(x, ops::steps = 0); }, "grid_line: [2, 3], steps 0: a size is out of range");
  refused([&] { grid_line(whole_numbers, ops::steps = 2); },
          "grid_line: int64[2, 3], steps 2: not a floating-point dtype");
}

}  // namespace koila::test
