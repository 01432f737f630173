// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("cross_entropy") {
  const auto f = [](const auto& x, const auto& label) { return cross_entropy(x, label); };
  const auto g = [](const at::Tensor& x, const at::Tensor& label) { return at::cross_entropy_loss(x, label); };
  for (const auto n : batches) {
    check(f, g, per_sample(normal({n, 4})), per_sample(labels(n, 4)));
    check(f, g, per_sample(normal({n, 4})), per_sample(labels(n, 4, true)));
    check(f, g, per_sample(normal({n, 4})), per_sample(at::full({n}, -100)));  // ignores all labels: a mean of nothing
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
  check(f, g, per_sample(normal({5, 4}) * 300), per_sample(labels(5, 4)));
  check_typed(f, g, std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
              std::pair{input<int64, batch>{}, labels(5, 4)});

  const input<any, any> x{"x"};
  const input<int64, any> label{"label"};
  const at::Tensor t = at::rand({2, 3}), two = labels(2, 3), three = labels(3, 3), w = at::rand({2}),
                   wide = at::rand({3}, at::kDouble), tall = at::rand({3, 3});
  refused([&] { run(cross_entropy(x, label), x = t, label = three); },
          "cross_entropy: [2, 3] x int64[3]: the labels are not one per sample");
  refused([&] { cross_entropy(t, three); }, "cross_entropy: [2, 3] x int64[3]: the labels are not one per sample");
  refused([&] { cross_entropy(t, tall); }, "cross_entropy: [2, 3] x [3, 3]: shapes differ");
  refused([&] { cross_entropy(t, t, ignore_index = 1); }, "cross_entropy: [2, 3] x [2, 3]: the labels are not int64");
  refused([&] { cross_entropy(t, two, w); },
          "cross_entropy: [2, 3] x int64[2] x [2]: the weight is not one number per channel");
  refused([&] { cross_entropy(t, two, wide); }, "cross_entropy: [2, 3] x int64[2] x float64[3]: dtypes differ");
  refused([&] { cross_entropy(t, two, label_smoothing = 1.5); },
          "cross_entropy: [2, 3] x int64[2]: the probability is not in [0, 1]");
  out_of_range([&] { cross_entropy(t, two + 2); });
}

TEST_CASE("cross_entropy of 16 bits and more labels than float16 counts") {
  const at::Tensor x = at::zeros({70000, 10}, at::kHalf), of = at::zeros({70000}, at::kLong);
  CHECK(std::abs(cross_entropy(x, of).item<double>() - std::log(10)) <= 2e-3);
  CHECK(std::abs(nll_loss(log_softmax(x, 1), of).item<double>() - std::log(10)) <= 2e-3);
  CHECK(std::abs(cross_entropy(x, of, at::ones({10}, at::kHalf)).item<double>() - std::log(10)) <= 2e-3);
  const bound logits = leaf(x.slice(0, 0, 66000), 0);
  const auto loss = cross_entropy(logits.leaf, lazy(of.slice(0, 0, 66000)));
  CHECK(run(gradient(loss, logits.leaf), binding<at::Tensor>{logits.leaf.state, logits.value})
            .isfinite()
            .all()
            .item<bool>());
}

TEST_CASE("cross_entropy: reductions, weights, smoothing, probabilities") {
  using at::Reduction::Reduction;
  // LibTorch has no gradient of the weights. Its gradient of the smoothed loss equals the gradient
  // of this formula.
  const auto formula = [](const at::Tensor& x, const at::Tensor& target, const at::Tensor& w, std::int64_t reduction,
                          double s) {
    const std::int64_t k = x.dim() == 1 ? 0 : 1;
    const at::Tensor logp = at::log_softmax(x, k);
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(x.dim()), 1);
    sizes[static_cast<std::size_t>(k)] = -1;
    const at::Tensor per_class = w.view(sizes);
    at::Tensor y, count;
    if (target.is_floating_point()) {
      y = -(logp * per_class * (target * (1 - s) + s / static_cast<double>(x.size(k)))).sum(k);
      count = at::full({}, static_cast<double>(y.numel()), y.options());
    } else {
      const at::Tensor of_label = w.index_select(0, target.clamp_min(0).flatten()).view_as(target) * (target != -100);
      y = at::nll_loss_nd(logp.contiguous(), target, {}, Reduction::None) * of_label * (1 - s) -
          ((logp * per_class).sum(k) * (target != -100)) * (s / static_cast<double>(x.size(k)));
      count = of_label.sum();
    }
    const at::Tensor loss = reduction == Reduction::None ? y : reduction == Reduction::Sum ? y.sum() : y.sum() / count;
    same(loss.detach(),
         at::cross_entropy_loss(x.detach().contiguous(), target.detach(), w.detach(), reduction, -100, s));
    return loss;
  };
  const auto all = [&](auto choice, std::int64_t reduction, double s) {
    const auto f = [=](const auto& x, const auto& target) {
      return cross_entropy(x, target, label_smoothing = s, koila::reduction = choice);
    };
    const auto g = [=](const at::Tensor& x, const at::Tensor& target) {
      return at::cross_entropy_loss(x.contiguous(), target, {}, reduction, -100, s);
    };
    const auto weighted = [=](const auto& x, const auto& target, const auto& w) {
      return cross_entropy(x, target, w, label_smoothing = s, koila::reduction = choice);
    };
    const auto want_weighted = [=](const at::Tensor& x, const at::Tensor& target, const at::Tensor& w) {
      return formula(x, target, w, reduction, s);
    };
    for (const std::int64_t n : {0, 3, 8}) {
      const operand x = per_sample(normal({n, 4})), w = whole(positive({4}));
      for (const operand& target : {per_sample(labels(n, 4, true)), per_sample(normal({n, 4}).softmax(1))}) {
        check(f, g, x, target);
        check(weighted, want_weighted, x, target, w);
      }
    }
    const operand x = per_sample(normal({3, 4, 2, 5}), 3), w = whole(positive({4}));
    for (const operand& target :
         {per_sample(labels(30, 4, true).view({3, 2, 5}), 2), per_sample(normal({3, 4, 2, 5}), 3)}) {
      check(f, g, x, target);
      check(ask{.twice = false}, weighted, want_weighted, x, target, w);
    }
    check(f, g, per_sample(normal({4, 3})), per_sample(at::full({4}, -100)));
    check(f, g, whole(normal({4})), whole(labels(1, 4)[0]));
    check(f, g, whole(normal({4})), whole(normal({4})));
    check_typed(f, g, std::pair{input<batch, 4, 2>{}, normal({5, 4, 2}).to(at::kFloat)},
                std::pair{input<int64, batch, 2>{}, labels(10, 4).view({5, 2})});
    check_typed(weighted, want_weighted, std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
                std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
                std::pair{parameter<4>{}, positive({4}).to(at::kFloat)});
  };
  SECTION("mean") { all(kMean, Reduction::Mean, 0); }
  SECTION("mean, smoothed") { all(kMean, Reduction::Mean, 0.1); }
  SECTION("sum, smoothed") { all(kSum, Reduction::Sum, 0.1); }
  SECTION("none") { all(kNone, Reduction::None, 0); }
  SECTION("none, smoothed") { all(kNone, Reduction::None, 0.3); }
}

}  // namespace koila::test
