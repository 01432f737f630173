// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("local_response_norm") {
  for (const int size : {1, 2, 3, 9}) {
    const auto f = [=](const auto& x) { return local_response_norm(x, size, 0.5, 0.7, 2.0); };
    // The formula of torch::nn::functional::local_response_norm.
    const auto g = [=](const at::Tensor& x) {
      const at::Tensor squares =
          at::constant_pad_nd((x * x).reshape({x.size(0), 1, x.size(1), -1}), {0, 0, size / 2, (size - 1) / 2});
      const at::Tensor mean = at::avg_pool2d(squares, {size, 1}, {1, 1}).view(x.sizes());
      return x / (mean * 0.5 + 2).pow(0.7);
    };
    for (const auto n : {1, 3, 8}) check(f, g, per_sample(normal({n, 5, 2})));
    check(f, g, per_sample(normal({2, 5, 3}), 1));
    check(f, g, per_sample(normal({2, 3, 2, 5}), 3));
  }
  const at::Tensor flat = at::rand({2, 4}), t = at::rand({2, 4, 3});
  refused([&] { local_response_norm(flat, 2); }, "local_response_norm: [2, 4], size 2: no rule for these ranks");
  refused([&] { local_response_norm(t, 0); }, "local_response_norm: [2, 4, 3], size 0: a size is out of range");
}

}  // namespace koila::test
