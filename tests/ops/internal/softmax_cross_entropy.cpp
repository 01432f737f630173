// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

#include <koila/ops/common/definitions.hpp>

namespace koila::test {

TEST_CASE("softmax_cross_entropy") {
  const auto f = [](const auto& x, const auto& label) { return softmax_cross_entropy(x, label); };
  const auto g = [](const at::Tensor& x, const at::Tensor& label) {
    return at::cross_entropy_loss(x, label, {}, at::Reduction::None);
  };
  for (const auto n : batches) {
    check(f, g, per_sample(normal({n, 4})), per_sample(labels(n, 4)));
    check(f, g, per_sample(normal({n, 4})), per_sample(labels(n, 4, true)));
    check([](const auto& x, const auto& label) { return softmax_cross_entropy(x, label, ignore_index = 1); },
          [](const at::Tensor& x, const at::Tensor& label) {
            return at::cross_entropy_loss(x, label, {}, at::Reduction::None, 1);
          },
          per_sample(normal({n, 4})), per_sample(labels(n, 4)));
    check([](const auto& x, const auto& label) { return softmax_cross_entropy(transpose(x, 0, 1), label); },
          [=](const at::Tensor& x, const at::Tensor& label) { return g(x.t(), label); }, per_sample(normal({4, n}), 1),
          per_sample(labels(n, 4, true)));
  }
  check(f, g, per_sample(normal({4, 3}), 1), whole(labels(4, 3)));  // the samples lie along the dim of the classes
  check(f, g, whole(normal({4})), whole(labels(1, 4)[0]));
  check(f, g, per_sample(normal({5, 4}) * 300), per_sample(labels(5, 4)));
  check_typed(f, g, std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
              std::pair{input<int64, batch>{}, labels(5, 4)});

  const input<any, any> x{"x"};
  const input<int64, any> label{"label"};
  const at::Tensor t = at::rand({2, 3}), three = labels(3, 3), beyond = at::full({2}, 3), deep = at::rand({2, 3, 4}),
                   many = labels(8, 3).view({2, 4});
  refused([&] { run(softmax_cross_entropy(x, label), x = t, label = three); },
          "softmax_cross_entropy: [2, 3] x int64[3]: the labels are not one per sample");
  refused([&] { softmax_cross_entropy(deep, many); },
          "softmax_cross_entropy: [2, 3, 4] x int64[2, 4]: no rule for these ranks");
  out_of_range([&] { softmax_cross_entropy(t, beyond); });
}

/// Compares with LibTorch's results in float64. Losses near 0, and gradients, are differences of
/// numbers near 1, so an absolute error is allowed too.
TEST_CASE("softmax_cross_entropy: rows short and long") {
  for (const auto type : {at::kFloat, at::kDouble, at::kHalf, at::kBFloat16})
    for (const std::int64_t rows : {1, 7, 16, 33})
      for (const std::int64_t classes : {1, 2, 3, 10, 16, 63, 64, 65, 100, 1000, 1023, 1025, 3000}) {
        const at::Tensor x = (normal({rows, classes}) * 4).to(type).requires_grad_(),
                         label = labels(rows, classes, true);
        const at::Tensor wide = x.detach().to(at::kDouble).requires_grad_();
        const at::Tensor want = at::cross_entropy_loss(wide, label, {}, at::Reduction::None),
                         dy = normal({rows}).to(type);
        want.backward(dy.to(at::kDouble));
        const double unit = type == at::kDouble ? 1e-13 : type == at::kFloat ? 1e-6 : type == at::kHalf ? 1e-3 : 8e-3;
        const auto near = [&](const at::Tensor& got, const at::Tensor& reference) {
          CAPTURE(type, rows, classes);
          CHECK(got.scalar_type() == type);
          CHECK(at::allclose(got.to(at::kDouble), reference, unit, unit * 0.5));
        };
        near(softmax_cross_entropy(x.detach(), label), want.detach());
        near(softmax_cross_entropy_backward(dy, x.detach(), label), wide.grad());
      }
}

TEST_CASE("softmax_cross_entropy: what is no number") {
  const float inf = INFINITY, nan = NAN;
  for (const std::int64_t copies : {1, 40}) {  // short rows and long ones
    const at::Tensor odd =
        at::tensor({1.0F, -inf, 2.0F, nan, 1.0F, 2.0F, inf, 1.0F, 2.0F, -inf, -inf, -inf, 1e30F, -1e30F, 0.0F})
            .view({5, 3})
            .repeat({1, copies});
    const at::Tensor label = at::tensor({0, 1, 0, 1, 0}, at::kLong), x = odd.clone().requires_grad_();
    const at::Tensor want = at::cross_entropy_loss(x, label, {}, at::Reduction::None);
    want.backward(at::ones({5}));
    same(softmax_cross_entropy(odd, label), want.detach(), false);
    same(softmax_cross_entropy_backward(at::ones({5}), odd, label), x.grad(), false);
    const at::Tensor none = at::full({5}, -100);  // all labels are ignored
    same(softmax_cross_entropy(odd, none), at::zeros({5}), false);
    same(softmax_cross_entropy_backward(at::ones({5}), odd, none), at::zeros_like(odd), false);
  }
}

}  // namespace koila::test
