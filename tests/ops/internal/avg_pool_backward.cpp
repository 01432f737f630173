// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

#include <ATen/ops/avg_pool2d_backward.h>

namespace koila::test {

TEST_CASE("avg_pool_backward") {
  pool_of p;
  p.n = 2, p.kernel_size = 3, p.stride = 2, p.padding = 1, p.count_include_pad = false;
  const auto f = [=](const auto& dy, const auto& x) { return avg_pool_backward(dy, x, pooling = p); };
  const auto g = [](const at::Tensor& dy, const at::Tensor& x) {
    return at::avg_pool2d_backward(dy, x, 3, 2, 1, false, false, std::nullopt) + 0 * x;
  };
  for (const std::int64_t n : {0, 1, 5})
    check(f, g, per_sample(normal({n, 2, 3, 2})), per_sample(normal({n, 2, 5, 4})));
  check(f, g, per_sample(normal({3, 3, 2})), per_sample(normal({3, 5, 4})));
  check(f, g, whole(normal({3, 3, 2})), whole(normal({3, 5, 4})));
  const at::Tensor x = at::rand({3, 5, 4}), dy = at::rand({3, 3, 3});
  refused([&] { avg_pool_backward(dy, x, pooling = p); },
          "avg_pool_backward: [3, 3, 3] x [3, 5, 4], kernel_size 3, stride 2, padding 1: shapes differ");
}

}  // namespace koila::test
