// SPDX-License-Identifier: MIT
#include "ops/check_loss.hpp"

#include <cmath>

namespace koila::test {

namespace {

/// The loss by operators that autograd differentiates twice, and with respect to the weights. The
/// value must equal the value of LibTorch's operator, which has neither derivative. For a batch
/// without samples, LibTorch's operator does not write its result.
auto multi_margin_by_formula(const at::Tensor& x, const at::Tensor& label, double p, double m, const at::Tensor& w,
                             std::int64_t reduction) -> at::Tensor {
  const at::Tensor index = label.unsqueeze(-1), excess = m - x.gather(-1, index) + x;
  const at::Tensor counts = excess.gt(0).scatter(-1, index, false), hinge = at::where(counts, excess, 0);
  at::Tensor terms = p == 1 ? hinge : hinge * hinge;
  if (w.defined()) terms = terms * w.index_select(0, label.flatten()).view_as(index);
  const at::Tensor loss = reduce(terms.sum(-1) / x.size(-1), reduction);
  if (x.numel() > 0)
    same(loss.detach(), at::multi_margin_loss(x.detach(), label, p, m, w.defined() ? w.detach() : w, reduction),
         x.scalar_type() == at::kDouble);
  return loss;
}

}  // namespace

TEST_CASE("multi_margin_loss") {
  for (const int p : {1, 2})
    for (const double m : {1.0, 0.3, -0.5}) {
      const auto f = [=](auto choice, const auto& x, const auto& label) {
        return multi_margin_loss(x, label, ops::p = p, margin = m, reduction = choice);
      };
      const auto g = [=](std::int64_t reduction, const at::Tensor& x, const at::Tensor& label) {
        return multi_margin_by_formula(x, label, p, m, {}, reduction);
      };
      const auto weighted = [=](auto choice, const auto& x, const auto& label, const auto& w) {
        return multi_margin_loss(x, label, w, ops::p = p, margin = m, reduction = choice);
      };
      const auto weighted_formula = [=](std::int64_t reduction, const at::Tensor& x, const at::Tensor& label,
                                        const at::Tensor& w) {
        return multi_margin_by_formula(x, label, p, m, w, reduction);
      };
      for (const std::int64_t n : {0, 1, 5}) {
        const operand x = per_sample(normal({n, 4})), label = per_sample(labels(n, 4));
        check_reductions({}, f, g, x, label);
        check_reductions({}, weighted, weighted_formula, x, label, whole(positive({4})));
      }
      check_reductions({}, f, g, whole(normal({4})), whole(labels(1, 4)[0]));
      check_reductions({}, weighted, weighted_formula, whole(normal({4})), whole(labels(1, 4)[0]),
                       whole(positive({4})));
      check_reductions({}, f, g, per_sample(normal({5, 1})), per_sample(labels(5, 1)));  // one class
      check_reductions({}, f, g, per_sample(normal({4, 5}), 1), whole(labels(4, 5)));    // classes as samples
      check_reductions_typed(f, g, std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
                             std::pair{input<int64, batch>{}, labels(5, 4)});
      check_reductions_typed(weighted, weighted_formula, std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
                             std::pair{input<int64, batch>{}, labels(5, 4)},
                             std::pair{parameter<4>{}, positive({4}).to(at::kFloat)});
    }
  // LibTorch's own gradient, by default and where margins are met exactly.
  check(
      ask{.twice = false}, [](const auto& x, const auto& label) { return multi_margin_loss(x, label); },
      [](const at::Tensor& x, const at::Tensor& label) { return at::multi_margin_loss(x.contiguous(), label); },
      per_sample(normal({5, 4})), per_sample(labels(5, 4)));
  for (const int p : {1, 2})
    check_reductions(
        ask{.twice = false},
        [=](auto choice, const auto& x, const auto& label) {
          return multi_margin_loss(x, label, ops::p = p, reduction = choice);
        },
        [=](std::int64_t reduction, const at::Tensor& x, const at::Tensor& label) {
          return at::multi_margin_loss(x.contiguous(), label, p, 1, {}, reduction);
        },
        per_sample(normal({5, 4}).round()), per_sample(labels(5, 4)));
}

TEST_CASE("multi_margin_loss: special values, ranks and dtypes") {
  constexpr double inf = INFINITY;
  const at::Tensor rows = at::tensor({double{NAN}, 1.0, 2.0, 0.0, 1.0, NAN, 2.0,  0.0, 1.0, -inf, 2.0, 0.0, 1.0, inf,
                                      2.0,         0.0, inf, inf, 2.0, 0.0, -inf, inf, 2.0, 0.0,  inf, 1.0, 2.0, 0.0},
                                     at::kDouble)
                              .view({7, 4}),
                   label = at::zeros({7}, at::kLong);
  for (const int p : {1, 2})
    for (const at::Tensor& w : {at::Tensor(), at::tensor({2.0, 1.0, inf, double{NAN}}, at::kDouble)})
      for (const double m : {1.0, inf, -inf, double{NAN}}) {
        const at::Tensor x = rows.clone().set_requires_grad(true),
                         want = at::multi_margin_loss(x, label, p, m, w, at::Reduction::None);
        want.sum().backward();
        const bound ours = leaf(rows);
        const auto check_it = [&](const auto& y) {
          same(run(y), want.detach());
          same(run(gradient(sum(y), ours.leaf)), x.grad());
        };
        if (w.defined())
          check_it(multi_margin_loss(ours.leaf, lazy(label), lazy(w), ops::p = p, margin = m, reduction = kNone));
        else check_it(multi_margin_loss(ours.leaf, lazy(label), ops::p = p, margin = m, reduction = kNone));
      }
  // An infinite weight has no effect if the margin is kept.
  const at::Tensor kept = at::tensor({3.0F, 1.0F}), w = at::tensor({INFINITY, 1.0F}), of = at::zeros({}, at::kLong);
  same(multi_margin_loss(kept, of, w), at::zeros({}));
  const bound ours = leaf(kept);
  same(run(gradient(multi_margin_loss(ours.leaf, lazy(of), lazy(w)), ours.leaf)), at::zeros({2}));

  const at::Tensor single = at::rand({}), one = at::rand({1});
  same(multi_margin_loss(single, of), at::multi_margin_loss(single, of));
  same(multi_margin_loss(single, of, one), at::multi_margin_loss(single, of, 1, 1, one));
  const at::Tensor none = at::rand({0, 3}), no_labels = at::zeros({0}, at::kLong);
  CHECK(multi_margin_loss(none, no_labels).isnan().item<bool>());
  CHECK(multi_margin_loss(none, no_labels, reduction = kSum).item<double>() == 0);
  for (const auto type : {at::kHalf, at::kBFloat16}) {
    const at::Tensor x = (normal({70000, 4}) * 20).to(type), y = labels(70000, 4), weight = positive({4}).to(type);
    for (const int p : {1, 2})
      for (const auto r : {at::Reduction::None, at::Reduction::Mean})
        rounded_once(r == at::Reduction::None ? multi_margin_loss(x, y, weight, ops::p = p, reduction = kNone)
                                              : multi_margin_loss(x, y, weight, ops::p = p),
                     at::multi_margin_loss(x.to(at::kFloat), y, p, 1, weight.to(at::kFloat), r), type);
  }
}

TEST_CASE("multi_margin_loss: refused") {
  const input<any, any> x{"x"};
  const input<int64, any> label{"label"};
  const at::Tensor t = at::rand({2, 3}), two = labels(2, 3), three = labels(3, 3), w = at::rand({2}),
                   wide = at::rand({3}, at::kDouble), nothing = at::rand({2, 0}), cube = at::rand({2, 3, 4}),
                   integers = at::ones({2, 3}, at::kLong), square = labels(6, 3).view({2, 3}), half = t.to(at::kHalf),
                   scalar = at::rand({});
  refused([&] { run(multi_margin_loss(x, label), x = t, label = three); },
          "multi_margin_loss: [2, 3] x int64[3]: the labels are not one per sample");
  refused([&] { multi_margin_loss(t, two, w); },
          "multi_margin_loss: [2, 3] x int64[2] x [2]: the weight is not one number per channel");
  refused([&] { multi_margin_loss(t, two, wide); }, "multi_margin_loss: [2, 3] x int64[2] x float64[3]: dtypes differ");
  refused([&] { multi_margin_loss(nothing, two); },
          "multi_margin_loss: [2, 0] x int64[2]: a dim without elements has no such value");
  refused([&] { multi_margin_loss(cube, square); },
          "multi_margin_loss: [2, 3, 4] x int64[2, 3]: no rule for these ranks");
  refused([&] { multi_margin_loss(scalar, two); },
          "multi_margin_loss: [] x int64[2]: the labels are not one per sample");
  const at::Tensor row = at::rand({3}), one = at::zeros({1}, at::kLong), single = at::rand({2, 1}),
                   no_labels = at::zeros({2}, at::kLong);
  refused([&] { multi_margin_loss(row, one); }, "multi_margin_loss: [3] x int64[1]: the labels are not one per sample");
  refused([&] { multi_margin_loss(single, no_labels, scalar); },
          "multi_margin_loss: [2, 1] x int64[2] x []: the weight is not one number per channel");
  refused([&] { multi_margin_loss(t, w); }, "multi_margin_loss: [2, 3] x [2]: the labels are not int64");
  refused([&] { multi_margin_loss(integers, two); },
          "multi_margin_loss: int64[2, 3] x int64[2]: not a floating-point dtype");
  refused([&] { multi_margin_loss(t, two, ops::p = 3); },
          "multi_margin_loss: [2, 3] x int64[2]: a size is out of range");
  refused([&] { multi_margin_loss(t, two, ops::p = 1.5); },
          "multi_margin_loss: [2, 3] x int64[2]: a size is out of range");
  refused([&] { multi_margin_loss(half, two, margin = 70000.0); },
          "multi_margin_loss: float16[2, 3] x int64[2]: the dtype does not hold the number");
  for (const at::Tensor& wrong : {two + 3, at::full({2}, -100), at::full({2}, -1)}) {
    out_of_range([&] { multi_margin_loss(t, wrong); });
    out_of_range([&] { multi_margin_loss(t, wrong, at::rand({3})); });
  }
  STATIC_REQUIRE(!Accepts<struct multi_margin_loss, shape<batch, 3>, shape<int64, batch>, decltype(ops::p = 3_c)>);
  STATIC_REQUIRE(
      !Accepts<struct multi_margin_loss, shape<batch, 3>, shape<int64, batch>, decltype(reduction = kBatchMean)>);
  STATIC_REQUIRE(!Accepts<struct multi_margin_loss, shape<batch, 0>, shape<int64, batch>>);
}

}  // namespace koila::test
