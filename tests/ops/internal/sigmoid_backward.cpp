// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("sigmoid_backward") {
  const auto f = [](const auto& dy, const auto& y) { return sigmoid_backward(dy, y); };
  const auto g = [](const at::Tensor& dy, const at::Tensor& y) { return at::sigmoid_backward(dy, y); };
  for (const auto& s : some_sizes(1))
    check(f, g, per_sample(normal(s.sizes), s.batch), per_sample(at::sigmoid(normal(s.sizes)), s.batch));
  for (const auto n : batches) {
    check(f, g, whole(normal({3})), per_sample(normal({n, 3})));
    check(f, g, per_sample(normal({n, 3})), whole(normal({1, 3})));
  }
  check_typed(f, g, std::pair{input<batch, 2>{}, normal({5, 2}).to(at::kFloat)},
              std::pair{parameter<2>{}, normal({2}).to(at::kFloat)});

  const input<any, any> a{"a"}, b{"b"};
  const at::Tensor s = at::rand({2, 3}), t = at::rand({2, 4});
  refused([&] { run(sigmoid_backward(a, b), a = s, b = t); }, "sigmoid_backward: [2, 3] x [2, 4]: not broadcastable");
}

}  // namespace koila::test
