// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("window_sum") {
  const auto summed = [](const at::Tensor& x, std::int64_t left, std::int64_t right, std::int64_t d) {
    const auto n = x.size(d);
    const at::Tensor i = at::arange(n), distance = i - i.unsqueeze(1);  // (n, n): distance[a][b] = b - a
    const at::Tensor near = ((distance >= -left) & (distance <= right)).to(x.scalar_type());
    return at::matmul(near, x.transpose(d, 0).reshape({n, -1})).reshape(x.transpose(d, 0).sizes()).transpose(d, 0);
  };
  for (const auto& [left, right] : {std::pair{0, 0}, {1, 1}, {2, 0}, {0, 9}, {9, 1}})
    for (const int d : {0, 1, -1})
      for (const int samples : {0, 1, 2})
        check([=, l = left, r = right](const auto& x) { return window_sum(x, l, r, d); },
              [=, l = left, r = right](const at::Tensor& x) { return summed(x, l, r, d); },
              per_sample(normal({5, 4, 3}), samples));
  const at::Tensor t = at::rand({2, 4});
  refused([&] { window_sum(t, 1, 1, 2); }, "window_sum: [2, 4], dim 2: dimension out of range");
  refused([&] { window_sum(t, -1, 1, 1); }, "window_sum: [2, 4], dim 1: a size is out of range");
}

}  // namespace koila::test
