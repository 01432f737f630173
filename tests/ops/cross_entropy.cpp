#include "check.hpp"

namespace koila::test {

TEST_CASE("cross_entropy") {
  const auto f = [](const auto& x, const auto& label) { return cross_entropy(x, label); };
  const auto g = [](const at::Tensor& x, const at::Tensor& label) { return at::cross_entropy_loss(x, label); };
  for (const auto n : batches) {
    check(f, g, per_sample(normal({n, 4})), per_sample(labels(n, 4)));
    check(f, g, per_sample(normal({n, 4})), per_sample(labels(n, 4, true)));
    check(f, g, per_sample(normal({n, 4})), per_sample(at::full({n}, -100)));  // none counts: the mean of nothing
    check([](const auto& x, const auto& label) { return cross_entropy(x, label, ignore_index = 1); },
          [](const at::Tensor& x, const at::Tensor& label) {
            return at::cross_entropy_loss(x, label, {}, at::Reduction::Mean, 1);
          },
          per_sample(normal({n, 4})), per_sample(labels(n, 4)));
    check([](const auto& x, const auto& w, const auto& label) { return cross_entropy(linear(x, w), label); },
          [](const at::Tensor& x, const at::Tensor& w, const at::Tensor& label) {
            return at::cross_entropy_loss(at::linear(x, w), label);
          },
          per_sample(normal({n, 3})), whole(normal({4, 3})), per_sample(labels(n, 4, true)));
  }
  check(f, g, whole(normal({4})), whole(labels(1, 4)[0]));
  check_typed(f, g, std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
              std::pair{input<int64, batch>{}, labels(5, 4)});

  const input<any, any> x{"x"};
  const input<int64, any> label{"label"};
  const at::Tensor t = at::rand({2, 3}), three = labels(3, 3);
  refused([&] { run(cross_entropy(x, label), x = t, label = three); },
          "cross_entropy: [2, 3] x int64[3]: the labels are not one per sample");
  refused([&] { cross_entropy(t, three); }, "cross_entropy: [2, 3] x int64[3]: the labels are not one per sample");
}

}  // namespace koila::test
