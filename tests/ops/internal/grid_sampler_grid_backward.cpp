// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

#include <ATen/ops/grid_sampler_2d_backward.h>

namespace koila::test {

TEST_CASE("grid_sampler_grid_backward") {
  const auto f = [](const auto& dy, const auto& x, const auto& grid) {
    return grid_sampler_grid_backward(dy, x, grid, padding_mode = kReflection);
  };
  const auto g = [&](const at::Tensor& dy, const at::Tensor& x, const at::Tensor& grid) {
    return std::get<1>(at::grid_sampler_2d_backward(dy, x, grid, 0, 2, false, {false, true}));
  };
  const ask value{.gradients = false};  // this op has no gradient
  for (const std::int64_t n : {0, 1, 5})
    check(value, f, g, per_sample(normal({n, 2, 3, 2})), per_sample(normal({n, 2, 5, 4})),
          per_sample(normal({n, 3, 2, 2})));
  check(value, f, g, per_sample(normal({2, 5, 3, 2}), 1), per_sample(normal({2, 5, 5, 4}), 1),
        whole(normal({2, 3, 2, 2})));
  check(value, f, g, per_sample(normal({2, 3, 5, 2}), 2), whole(normal({2, 3, 5, 4})),
        per_sample(normal({2, 5, 2, 2}), 1));
  check(value, f, g, whole(normal({2, 3, 4, 2})), whole(normal({2, 3, 5, 4})), whole(normal({2, 4, 2, 2})));
  const at::Tensor x = at::rand({5, 2, 5, 4}), grid = at::rand({5, 3, 2, 2});
  refused([&] { f(x, x, grid); },
          "grid_sampler_grid_backward: [5, 2, 5, 4] x [5, 2, 5, 4] x [5, 3, 2, 2]: shapes differ");
  STATIC_REQUIRE(!Accepts<struct grid_sampler_grid_backward, shape<2, 2, 3, 2>, shape<2, 2, 5, 4>, shape<3, 3, 2, 2>>);
}

}  // namespace koila::test
