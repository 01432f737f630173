// SPDX-License-Identifier: MIT
#include "ops/elementwise.hpp"

namespace koila::test {

TEST_CASE("logit_backward") {
  const auto between = +[](at::IntArrayRef sizes) { return positive(sizes) * 0.45; };  // from 0.2 to 0.9
  const auto f = [](const auto& d, const auto& x) { return logit_backward(d, x); };
  const auto g = [](const at::Tensor& d, const at::Tensor& x) { return d / (x * (1 - x)); };
  check({}, f, g, broadcasting_pairs(normal, between));
  check(
      [](const auto& d, const auto& x) { return logit_backward(d, x, eps = 0.4); },
      [](const at::Tensor& d, const at::Tensor& x) { return d / (x * (1 - x)) * at::logical_and(x >= 0.4, x <= 0.6); },
      per_sample(normal({5, 3})), per_sample(between({5, 3})));
  const at::Tensor a = at::rand({2, 3}), b = at::rand({2, 4});
  refused([&] { logit_backward(a, b); }, "logit_backward: [2, 3] x [2, 4]: not broadcastable");
}

}  // namespace koila::test
