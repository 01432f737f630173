// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

#include <ATen/ops/grid_sampler_2d.h>
#include <ATen/ops/grid_sampler_2d_backward.h>

namespace koila::test {

TEST_CASE("grid_sampler_input_backward") {
  const auto f = [](const auto& dy, const auto& x, const auto& grid) {
    return grid_sampler_input_backward(dy, x, grid, padding_mode = kBorder);
  };
  const auto back = [](const at::Tensor& dy, const at::Tensor& x, const at::Tensor& grid, bool of_grid) {
    const auto both = at::grid_sampler_2d_backward(dy, x, grid, 0, 1, false, {!of_grid, of_grid});
    return of_grid ? std::get<1>(both) : std::get<0>(both);
  };
  const auto g = [&](const at::Tensor& dy, const at::Tensor& x, const at::Tensor& grid) {
    return back(dy, x, grid, false);
  };
  check({.gradients = false}, f, g, per_sample(normal({1, 2, 3, 2})), per_sample(normal({1, 2, 5, 4})),
        per_sample(normal({1, 3, 2, 2})));
  check({.gradients = false}, f, g, per_sample(normal({5, 2, 3, 2})), per_sample(normal({5, 2, 5, 4})),
        per_sample(normal({5, 3, 2, 2})));
  check({.gradients = false}, f, g, per_sample(normal({2, 5, 3, 2}), 1), per_sample(normal({2, 5, 5, 4}), 1),
        whole(normal({2, 3, 2, 2})));
  check({.gradients = false}, f, g, per_sample(normal({2, 3, 5, 2}), 2), whole(normal({2, 3, 5, 4})),
        per_sample(normal({2, 5, 2, 2}), 1));
  check({.gradients = false}, f, g, whole(normal({2, 3, 4, 2})), whole(normal({2, 3, 5, 4})),
        whole(normal({2, 4, 2, 2})));
  // LibTorch has no gradient. The op is linear in dy, so its gradients are those of the sampling.
  const input<float64, batch, 2, 3, 2> dy{"dy"};
  const input<float64, batch, 2, 5, 4> x{"x"};
  const input<float64, batch, 3, 2, 2> grid{"grid"};
  const at::Tensor tdy = normal({5, 2, 3, 2}), tx = normal({5, 2, 5, 4}), tgrid = normal({5, 3, 2, 2});
  const auto loss = sum(mul(f(dy, x, grid), x));
  for (const index_t chunk : {0, 2}) {
    const options o{.chunk = chunk};
    same(run(gradient(loss, dy), o, dy = tdy, x = tx, grid = tgrid), at::grid_sampler_2d(tx, tgrid, 0, 1, false));
    same(run(gradient(loss, grid), o, dy = tdy, x = tx, grid = tgrid), back(tdy, tx, tgrid, true));
  }
  const at::Tensor narrow = tdy.to(at::kFloat);
  refused([&] { f(narrow, tx, tgrid); },
          "grid_sampler_input_backward: [5, 2, 3, 2] x float64[5, 2, 5, 4] x float64[5, 3, 2, 2]: dtypes differ");
  refused(
      [&] { f(tx, tx, tgrid); },
      "grid_sampler_input_backward: float64[5, 2, 5, 4] x float64[5, 2, 5, 4] x float64[5, 3, 2, 2]: shapes differ");
  STATIC_REQUIRE(!Accepts<struct grid_sampler_input_backward, shape<2, 2, 3, 2>, shape<2, 2, 5, 4>, shape<3, 3, 2, 2>>);
}

}  // namespace koila::test
