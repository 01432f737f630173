// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

#include <ATen/ops/grid_sampler.h>

namespace koila::test {

TEST_CASE("grid_sampler") {
  const auto f = [](const auto& x, const auto& grid) { return grid_sampler(x, grid, kBilinear, kReflection, true); };
  const auto g = [](const at::Tensor& x, const at::Tensor& grid) { return at::grid_sampler(x, grid, 0, 2, true); };
  for (const std::int64_t n : {0, 1, 5})
    check({.twice = false}, f, g, per_sample(normal({n, 2, 5, 4})), per_sample(normal({n, 3, 2, 2})));
  check({.twice = false}, f, g, per_sample(normal({2, 5, 5, 4}), 1), whole(normal({2, 3, 2, 2})));
  check({.twice = false}, f, g, per_sample(normal({2, 5, 5, 4}), 1), per_sample(normal({2, 5, 2, 2}), 1));
  const at::Tensor x = at::rand({2, 3, 5, 4}), grid = at::rand({2, 3, 2, 2});
  refused([&] { f(grid, x); }, "grid_sampler: [2, 3, 2, 2] x [2, 3, 5, 4]: shapes differ");
  STATIC_REQUIRE(!Accepts<struct grid_sampler, shape<float16, 2, 3, 5, 4>, shape<float16, 2, 3, 2, 2>>);
}

}  // namespace koila::test
