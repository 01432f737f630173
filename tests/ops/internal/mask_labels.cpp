// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("mask_labels") {
  const auto f = [](const auto& x, const auto& label) { return mask_labels(x, label); };
  const auto g = [](const at::Tensor& x, const at::Tensor& label) { return x.masked_fill(label == -100, 0); };
  for (const auto n : batches) {
    check(f, g, per_sample(normal({n})), per_sample(labels(n, 4, true)));
    check(f, g, per_sample(normal({3, n}), 1), per_sample(labels(3 * n, 4, true).view({3, n}), 1));
    check([](const auto& x, const auto& label) { return mask_labels(x, label, ignore_index = 1); },
          [](const at::Tensor& x, const at::Tensor& label) { return x.masked_fill(label == 1, 0); },
          per_sample(normal({n})), per_sample(labels(n, 4)));
  }
  check_typed(f, g, std::pair{input<batch>{}, normal({5}).to(at::kFloat)},
              std::pair{input<int64, batch>{}, labels(5, 4, true)});
  const at::Tensor odd = at::tensor({NAN, INFINITY, -INFINITY, 1.0F}),
                   ignored = at::tensor({-100, -100, 1, 1}, at::kLong);
  same(f(odd, ignored), g(odd, ignored));

  const at::Tensor x = at::rand({2}), three = labels(3, 3);
  refused([&] { mask_labels(x, three); }, "mask_labels: [2] x int64[3]: the labels are not one per sample");
  refused([&] { mask_labels(x, x); }, "mask_labels: [2] x [2]: the labels are not int64");
}

}  // namespace koila::test
