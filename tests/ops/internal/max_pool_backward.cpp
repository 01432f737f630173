// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

#include <ATen/ops/max_pool2d_with_indices.h>

namespace koila::test {

TEST_CASE("max_pool_backward") {
  pool_of p;
  p.n = 2, p.kernel_size = 3, p.stride = 2, p.padding = 1;
  const auto f = [=](const auto& dy, const auto& x) { return max_pool_backward(dy, x, pooling = p); };
  const auto g = [](const at::Tensor& dy, const at::Tensor& x) {
    const at::Tensor indices = std::get<1>(at::max_pool2d_with_indices(x, 3, 2, 1));
    return (at::zeros_like(x).flatten(-2).scatter_add(-1, indices.flatten(-2), dy.flatten(-2))).view(x.sizes()) + 0 * x;
  };
  for (const std::int64_t n : {0, 1, 5})
    check(f, g, per_sample(normal({n, 2, 3, 2})), per_sample(normal({n, 2, 5, 4})));
  check(f, g, per_sample(normal({3, 3, 2})), per_sample(normal({3, 5, 4})));
  check(f, g, whole(normal({3, 3, 2})), whole(normal({3, 5, 4})));
  const at::Tensor x = at::rand({3, 5, 4}), dy = at::rand({3, 3, 3});
  refused([&] { max_pool_backward(dy, x, pooling = p); },
          "max_pool_backward: [3, 3, 3] x [3, 5, 4], kernel_size 3, stride 2, padding 1: shapes differ");
}

}  // namespace koila::test
