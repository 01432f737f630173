// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("repeat_backward") {
  const auto f = [](auto... r) { return [=](const auto& dy, const auto& x) { return repeat_backward(dy, x, r...); }; };
  const auto tall = [](const at::Tensor& dy, const at::Tensor& x) { return dy.view({2, -1, 3}).sum(0) + 0 * x; };
  for (const std::int64_t n : {1, 2, 5}) {
    check(
        f(1, 2), [](const at::Tensor& dy, const at::Tensor& x) { return dy.view({-1, 2, 3}).sum(1) + 0 * x; },
        per_sample(normal({n, 6})), per_sample(normal({n, 3})));
    check(f(2, 1), tall, whole(normal({2 * n, 3})), per_sample(normal({n, 3})));
    check(f(2, 1), tall, per_sample(normal({2 * n, 3})), whole(normal({n, 3})));
    check(
        f(n, 1, 1), [](const at::Tensor& dy, const at::Tensor& x) { return dy.sum(0) + 0 * x; },
        per_sample(normal({n, 2, 3})), whole(normal({2, 3})));
    check(
        f(1, 2), [](const at::Tensor& dy, const at::Tensor& x) { return dy.view({-1, 2, 3}).sum(1) + 0 * x; },
        per_sample(normal({n, 6})), whole(normal({n, 3})));
  }
  check_typed(
      f(1_c, 2_c), [](const at::Tensor& dy, const at::Tensor& x) { return dy.view({-1, 2, 3}).sum(1) + 0 * x; },
      std::pair{input<batch, 6>{}, normal({5, 6}).to(at::kFloat)},
      std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)});
  const at::Tensor t = at::rand({2, 3});
  refused([&] { repeat_backward(t, t, 1, 2); }, "repeat_backward: [2, 3] x [2, 3] by (1, 2): shapes differ");
}

}  // namespace koila::test
