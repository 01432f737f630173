// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("nll_loss") {
  // LibTorch's operator has no gradient of the weights. The reference is nll_loss without weights,
  // multiplied by the weights of the labels.
  const auto weighted = [](const at::Tensor& x, const at::Tensor& label, const at::Tensor& w, std::int64_t reduction) {
    const at::Tensor counts = label != -100, each = at::nll_loss_nd(x, label, {}, at::Reduction::None);
    const at::Tensor of_label = w.index_select(0, label.clamp_min(0).flatten()).view_as(label) * counts;
    const at::Tensor y = each * of_label;
    const at::Tensor loss = reduction == at::Reduction::None  ? y
                            : reduction == at::Reduction::Sum ? y.sum()
                                                              : y.sum() / of_label.sum();
    same(loss.detach(), at::nll_loss_nd(x, label, w.detach(), reduction).detach());
    return loss;
  };
  const auto all = [&](auto choice, std::int64_t reduction) {
    const auto f = [=](const auto& x, const auto& label) { return nll_loss(x, label, koila::reduction = choice); };
    const auto g = [=](const at::Tensor& x, const at::Tensor& label) {
      return at::nll_loss_nd(x.contiguous(), label, {}, reduction);
    };
    for (const std::int64_t n : {0, 1, 2, 5, 8}) {
      check(f, g, per_sample(normal({n, 4})), per_sample(labels(n, 4, true)));
      check(f, g, per_sample(normal({n, 4, 3})), per_sample(labels(3 * n, 4, true).view({n, 3})));
    }
    // For a single sample, the weights of a weighted mean have gradients that are only rounding
    // errors.
    for (const std::int64_t n : {0, 3, 8})
      check([=](const auto& x, const auto& label,
                const auto& w) { return nll_loss(x, label, w, koila::reduction = choice); },
            [=](const at::Tensor& x, const at::Tensor& label, const at::Tensor& w) {
              return weighted(x, label, w, reduction);
            },
            per_sample(normal({n, 4})), per_sample(labels(n, 4)), whole(positive({4})));
    check(f, g, per_sample(normal({3, 4, 5, 2}), 2), per_sample(labels(30, 4, true).view({3, 5, 2}), 1));
    check(f, g, per_sample(normal({5, 4})), per_sample(at::full({5}, -100)));  // all labels are ignored
    check([=](const auto& x,
              const auto& label) { return nll_loss(x, label, ignore_index = 1, koila::reduction = choice); },
          [=](const at::Tensor& x, const at::Tensor& label) { return at::nll_loss_nd(x, label, {}, reduction, 1); },
          per_sample(normal({5, 4})), per_sample(labels(5, 4)));
    check(f, g, whole(normal({4})), whole(labels(1, 4)[0]));
    check_typed(f, g, std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
                std::pair{input<int64, batch>{}, labels(5, 4)});
  };
  SECTION("mean") { all(kMean, at::Reduction::Mean); }
  SECTION("sum") { all(kSum, at::Reduction::Sum); }
  SECTION("none") { all(kNone, at::Reduction::None); }
  SECTION("refused") {
    const input<any, any> x{"x"};
    const input<int64, any> label{"label"};
    const at::Tensor t = at::rand({2, 3}), two = labels(2, 3), three = labels(3, 3), w = at::rand({2});
    refused([&] { run(nll_loss(x, label), x = t, label = three); },
            "nll_loss: [2, 3] x int64[3]: the labels are not one per sample");
    refused([&] { nll_loss(t, two, w); },
            "nll_loss: [2, 3] x int64[2] x [2]: the weight is not one number per channel");
    STATIC_REQUIRE(!Accepts<struct nll_loss, shape<batch, 3>, shape<int64, batch>, decltype(reduction = kBatchMean)>);
    out_of_range([&] { nll_loss(t, two + 3); });
  }
}

}  // namespace koila::test
