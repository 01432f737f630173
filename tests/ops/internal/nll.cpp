// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("nll") {
  const auto f = [](const auto& x, const auto& label) { return nll(x, label); };
  const auto g = [](const at::Tensor& x, const at::Tensor& label) {
    return at::nll_loss(x, label, {}, at::Reduction::None);
  };
  for (const auto n : batches) {
    check(f, g, per_sample(normal({n, 4})), per_sample(labels(n, 4)));
    check(f, g, per_sample(normal({n, 4})), per_sample(labels(n, 4, true)));
    check(
        [](const auto& x, const auto& label) { return nll(x, label, ignore_index = 1); },
        [](const at::Tensor& x, const at::Tensor& label) { return at::nll_loss(x, label, {}, at::Reduction::None, 1); },
        per_sample(normal({n, 4})), per_sample(labels(n, 4)));
    check([](const auto& x, const auto& label) { return nll(transpose(x, 0, 1), label); },
          [=](const at::Tensor& x, const at::Tensor& label) { return g(x.t(), label); }, per_sample(normal({4, n}), 1),
          per_sample(labels(n, 4, true)));
  }
  check(f, g, whole(normal({4})), whole(labels(1, 4)[0]));
  check_typed(f, g, std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
              std::pair{input<int64, batch>{}, labels(5, 4)});

  const input<any, any> x{"x"};
  const input<int64, any> label{"label"};
  const at::Tensor t = at::rand({2, 3}), three = labels(3, 3), beyond = at::full({2}, 3);
  refused([&] { run(nll(x, label), x = t, label = three); },
          "nll: [2, 3] x int64[3]: the labels are not one per sample");
  refused([&] { nll(t, three); }, "nll: [2, 3] x int64[3]: the labels are not one per sample");
  out_of_range([&] { nll(t, beyond); });
}

}  // namespace koila::test
