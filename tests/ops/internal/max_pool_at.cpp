// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

#include <ATen/ops/max_pool2d_with_indices.h>

namespace koila::test {

TEST_CASE("max_pool_at") {
  pool_of p;
  p.n = 2, p.kernel_size = 3, p.stride = 2, p.padding = 1;
  const auto f = [=](const auto& v, const auto& x) { return max_pool_at(v, x, pooling = p); };
  const auto g = [](const at::Tensor& v, const at::Tensor& x) {
    const at::Tensor indices = std::get<1>(at::max_pool2d_with_indices(x, 3, 2, 1));
    return v.flatten(-2).gather(-1, indices.flatten(-2)).view(indices.sizes()) + 0 * x.sum();
  };
  for (const std::int64_t n : {0, 1, 5})
    check(f, g, per_sample(normal({n, 2, 5, 4})), per_sample(normal({n, 2, 5, 4})));
  check(f, g, per_sample(normal({3, 5, 4})), per_sample(normal({3, 5, 4})));
  check(f, g, per_sample(normal({3, 5, 4}), 1), per_sample(normal({3, 5, 4}), 1));
  check(f, g, whole(normal({3, 5, 4})), whole(normal({3, 5, 4})));
  STATIC_REQUIRE(!Accepts<struct max_pool_at, shape<batch, 2, 5>, shape<batch, 2, 4>, decltype(pooling = p)>);
  const at::Tensor x = at::rand({3, 5, 4}), y = at::rand({3, 5, 5});
  refused([&] { max_pool_at(x, y, pooling = p); },
          "max_pool_at: [3, 5, 4] x [3, 5, 5], kernel_size 3, stride 2, padding 1: shapes differ");
  const at::Tensor wide = x.to(at::kDouble);
  refused([&] { max_pool_at(x, wide, pooling = p); },
          "max_pool_at: [3, 5, 4] x float64[3, 5, 4], kernel_size 3, stride 2, padding 1: dtypes differ");
}

}  // namespace koila::test
