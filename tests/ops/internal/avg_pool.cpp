// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

#include <ATen/ops/avg_pool2d.h>

namespace koila::test {

TEST_CASE("avg_pool") {
  pool_of p;
  p.n = 2, p.kernel_size = 3, p.stride = 2, p.padding = 1, p.count_include_pad = false;
  const auto f = [=](const auto& x) { return avg_pool(x, pooling = p); };
  const auto g = [](const at::Tensor& x) { return at::avg_pool2d(x, 3, 2, 1, false, false); };
  for (const std::int64_t n : {0, 1, 5}) check(f, g, per_sample(normal({n, 2, 5, 4})));
  check(f, g, per_sample(normal({3, 5, 4})));
  check(f, g, per_sample(normal({3, 5, 4}), 1));
  const at::Tensor x = at::rand({3, 4});
  refused([&] { avg_pool(x, pooling = p); },
          "avg_pool: [3, 4], kernel_size 3, stride 2, padding 1: no rule for these ranks");
}

}  // namespace koila::test
