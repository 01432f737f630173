// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("softmax_cross_entropy_backward") {
  const auto f = [](const auto& dy, const auto& x, const auto& label) {
    return softmax_cross_entropy_backward(dy, x, label);
  };
  const auto g = [](const at::Tensor& dy, const at::Tensor& x, const at::Tensor& label) {
    const at::Tensor one_hot = at::zeros_like(x).scatter(-1, label.clamp_min(0).unsqueeze(-1), 1);
    return (dy * (label != -100)).unsqueeze(-1) * (at::softmax(x, -1) - one_hot);
  };
  for (const auto n : batches)
    for (const bool ignored : {false, true})
      check(f, g, per_sample(normal({n})), per_sample(normal({n, 4})), per_sample(labels(n, 4, ignored)));
  check(f, g, whole(normal({4})), per_sample(normal({4, 5}), 1), whole(labels(4, 5)));
  check(f, g, whole(normal({})), whole(normal({4})), whole(labels(1, 4)[0]));
  check_typed(f, g, std::pair{input<batch>{}, normal({5}).to(at::kFloat)},
              std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
              std::pair{input<int64, batch>{}, labels(5, 4)});
  const at::Tensor t = at::rand({2, 3}), two = at::rand({2}), three = at::rand({3}), beyond = at::full({2}, 3),
                   label = labels(2, 3);
  refused([&] { softmax_cross_entropy_backward(three, t, label); },
          "softmax_cross_entropy_backward: [3] x [2, 3] x int64[2]: the labels are not one per sample");
  out_of_range([&] { softmax_cross_entropy_backward(two, t, beyond); });
  const at::Tensor wide = two.to(at::kDouble);
  refused([&] { softmax_cross_entropy_backward(wide, t, label); },
          "softmax_cross_entropy_backward: float64[2] x [2, 3] x int64[2]: dtypes differ");
}

}  // namespace koila::test
