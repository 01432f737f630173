// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("label_weights_backward") {
  const auto f = [](const auto& dy, const auto& label, const auto& w) { return label_weights_backward(dy, label, w); };
  const auto g = [](const at::Tensor& dy, const at::Tensor& label, const at::Tensor& w) {
    const at::Tensor counted = at::where(label == -100, at::zeros({}, dy.options()), dy);
    return at::zeros_like(w).index_add(0, label.clamp_min(0).flatten(), counted.flatten()) + 0 * w;
  };
  for (const auto n : batches) {
    check(f, g, per_sample(normal({n})), per_sample(labels(n, 4, true)), whole(normal({4})));
    check(f, g, per_sample(normal({3, n}), 1), per_sample(labels(3 * n, 4).view({3, n}), 1), whole(normal({4})));
  }
  check_typed(f, g, std::pair{input<batch>{}, normal({5}).to(at::kFloat)},
              std::pair{input<int64, batch>{}, labels(5, 4)}, std::pair{parameter<4>{}, normal({4}).to(at::kFloat)});
  CHECK_THROWS_AS(label_weights_backward(at::rand({2}), at::full({2}, 3), at::rand({3})), c10::IndexError);
  const at::Tensor dy = at::rand({5}), three = at::rand({3}), label = labels(5, 3), wide = three.to(at::kDouble);
  refused([&] { label_weights_backward(three, label, three); },
          "label_weights_backward: [3] x int64[5] x [3]: the labels are not one per sample");
  refused([&] { label_weights_backward(dy, dy, three); },
          "label_weights_backward: [5] x [5] x [3]: the labels are not int64");
  refused([&] { label_weights_backward(dy, label, wide); },
          "label_weights_backward: [5] x int64[5] x float64[3]: dtypes differ");
}

}  // namespace koila::test
