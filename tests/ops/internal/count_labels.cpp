// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("count_labels") {
  const auto f = [](const auto& label, const auto& x) { return count_labels(label, x); };
  const auto g = [](const at::Tensor& label, const at::Tensor& x) {
    return (label != -100).sum().to(x.scalar_type()) + 0 * x.sum();
  };
  for (const auto n : batches) {
    check(f, g, per_sample(labels(n, 4, true)), per_sample(normal({n, 4})));
    check([](const auto& label, const auto& x) { return count_labels(label, x, ignore_index = 2); },
          [](const at::Tensor& label, const at::Tensor& x) {
            return (label != 2).sum().to(x.scalar_type()) + 0 * x.sum();
          },
          per_sample(labels(n, 4)), per_sample(normal({n, 4})));
  }
  check(f, g, whole(labels(7, 3, true)), whole(normal({7, 3})));
  check_typed(f, g, std::pair{input<int64, batch>{}, labels(5, 4, true)},
              std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)});
  const at::Tensor real = at::rand({2}), x = at::rand({2, 3});
  refused([&] { count_labels(real, x); }, "count_labels: [2] x [2, 3]: the labels are not int64");
}

}  // namespace koila::test
