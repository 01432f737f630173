// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("label_weights") {
  const auto f = [](const auto& label, const auto& w) { return label_weights(label, w); };
  const auto g = [](const at::Tensor& label, const at::Tensor& w) {
    return at::where(label == -100, at::zeros({}, w.options()),
                     w.index_select(0, label.clamp_min(0).flatten()).view_as(label));
  };
  for (const auto n : batches) {
    check(f, g, per_sample(labels(n, 4)), whole(normal({4})));
    check(f, g, per_sample(labels(3 * n, 4, true).view({3, n}), 1), whole(normal({4})));
    check([](const auto& label, const auto& w) { return label_weights(label, w, ignore_index = 1); },
          [=](const at::Tensor& label, const at::Tensor& w) { return g(label.masked_fill(label == 1, -100), w); },
          per_sample(labels(n, 4)), whole(normal({4})));
  }
  check(f, g, whole(labels(1, 4)[0]), whole(normal({4})));
  check_typed(f, g, std::pair{input<int64, batch>{}, labels(5, 4)},
              std::pair{parameter<4>{}, normal({4}).to(at::kFloat)});

  const at::Tensor label = labels(3, 3), w = at::rand({3, 1}), beyond = at::full({2}, 3);
  refused([&] { label_weights(label, w); },
          "label_weights: int64[3] x [3, 1]: the weight is not one number per channel");
  refused([&] { label_weights(w, w); }, "label_weights: [3, 1] x [3, 1]: the labels are not int64");
  out_of_range([&] { label_weights(beyond, at::rand({3})); });
}

}  // namespace koila::test
