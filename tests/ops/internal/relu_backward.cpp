// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("relu_backward") {
  const auto f = [](const auto& dy, const auto& y) { return relu_backward(dy, y); };
  const auto g = [](const at::Tensor& dy, const at::Tensor& y) { return at::threshold_backward(dy, y, 0); };
  for (const auto& s : some_sizes(1))
    check(f, g, per_sample(normal(s.sizes), s.batch), per_sample(at::relu(normal(s.sizes)), s.batch));
  for (const auto n : batches) {
    check(f, g, whole(normal({3})), per_sample(normal({n, 3})));
    check(f, g, per_sample(normal({n, 3})), whole(normal({1, 3})));
  }
  check_typed(f, g, std::pair{input<batch, 2>{}, normal({5, 2}).to(at::kFloat)},
              std::pair{parameter<2>{}, normal({2}).to(at::kFloat)});

  const input<any, any> a{"a"}, b{"b"};
  const at::Tensor s = at::rand({2, 3}), t = at::rand({2, 4});
  refused([&] { run(relu_backward(a, b), a = s, b = t); }, "relu_backward: [2, 3] x [2, 4]: not broadcastable");
}

TEST_CASE("trials A1: relu_backward refuses booleans, as LibTorch does") {
  const at::Tensor t = at::ones({3, 2}, at::kBool);
  refused([&] { relu_backward(t, t); }, "relu_backward: bool[3, 2] x bool[3, 2]: no rule for booleans");
  CHECK_THROWS_AS(run(relu_backward(lazy(t), true)), shape_error);
}

}  // namespace koila::test
