// SPDX-License-Identifier: MIT
#include "ops/check_loss.hpp"

namespace koila::test {

TEST_CASE("multilabel_soft_margin_loss") {
  // The definition of torch::nn::functional::multilabel_soft_margin_loss.
  const auto formula = [](std::int64_t reduction, const at::Tensor& x, const at::Tensor& y, const at::Tensor& w = {}) {
    at::Tensor each = -(y * at::log_sigmoid(x) + (1 - y) * at::log_sigmoid(-x));
    if (w.defined()) each = each * w;
    return reduce(each.sum(-1) / x.size(-1), reduction);
  };
  const auto f = [](auto choice, const auto& x, const auto& y) {
    return multilabel_soft_margin_loss(x, y, reduction = choice);
  };
  const auto weighted = [](auto choice, const auto& x, const auto& y, const auto& w) {
    return multilabel_soft_margin_loss(x, y, w, reduction = choice);
  };
  const auto g = [=](std::int64_t reduction, const at::Tensor& x, const at::Tensor& y) {
    return formula(reduction, x, y);
  };
  const auto truth = [](at::IntArrayRef sizes) { return (normal(sizes) > 0).to(at::kLong); };
  for (const auto& s : loss_sizes()) {
    const operand x = per_sample(normal(s.sizes) * 3, s.batch);
    check_reductions({}, f, g, x, per_sample(truth(s.sizes), s.batch));
    check_reductions({}, f, g, x, per_sample(normal(s.sizes).sigmoid(), s.batch));
    check_reductions({}, weighted, formula, x, per_sample(normal(s.sizes).sigmoid(), s.batch),
                     whole(positive({s.batch == static_cast<int>(s.sizes.size()) - 1 ? 1 : s.sizes.back()})));
  }
  check_reductions({}, f, g, whole(normal({4})), whole(truth({4})));
  check_reductions({}, f, g, per_sample(normal({3, 2, 5}), 1), per_sample(truth({3, 2, 5}), 1));
  check_reductions({}, weighted, formula, per_sample(normal({5, 3})), per_sample(truth({5, 3})),
                   per_sample(positive({5, 1})));
  check_reductions({}, weighted, formula, per_sample(normal({5, 3})), per_sample(truth({5, 3})), whole(positive({})));
  check([](const auto& x, const auto& y) { return multilabel_soft_margin_loss(x, y); },
        [=](const at::Tensor& x, const at::Tensor& y) { return g(at::Reduction::Mean, x, y); },
        per_sample(normal({5, 3})), per_sample(truth({5, 3})));
  check_reductions_typed(f, g, std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
                         std::pair{input<int64, batch, 4>{}, truth({5, 4})});
  check_reductions_typed(weighted, formula, std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
                         std::pair{input<int64, batch, 4>{}, truth({5, 4})},
                         std::pair{parameter<4>{}, positive({4}).to(at::kFloat)});

  const at::Tensor odd =
      at::tensor({double{NAN}, double{INFINITY}, -double{INFINITY}, 0.0, 50.0, -50.0, 1e30, -1e30}, at::kDouble)
          .unsqueeze(1);
  for (const double y : {0.0, 1.0, 0.3}) {
    const at::Tensor target = at::full_like(odd, y);
    same(multilabel_soft_margin_loss(odd, target, reduction = kNone), g(at::Reduction::None, odd, target));
  }
  for (const auto of_x : {at::kFloat, at::kDouble, at::kHalf, at::kBFloat16})
    for (const auto of_y : {at::kFloat, at::kDouble, at::kHalf, at::kInt})
      for (const auto of_w : {at::kFloat, at::kDouble, at::kHalf, at::kInt, at::kBool}) {
        const at::Tensor x = normal({4, 3}).to(of_x), y = truth({4, 3}).to(of_y), w = truth({3}).to(of_w),
                         got = multilabel_soft_margin_loss(x, y, w, reduction = kNone);
        const at::Tensor want = formula(at::Reduction::None, x, y, w);
        CHECK(got.scalar_type() == want.scalar_type());
        if (of_x == at::kFloat || of_x == at::kDouble) same(got, want, false);  // LibTorch rounds each step to 16 bits
      }
  const at::Tensor nothing = at::ones({2, 0});
  same(multilabel_soft_margin_loss(nothing, nothing, reduction = kNone), at::full({2}, NAN));
  for (const auto type : {at::kHalf, at::kBFloat16}) {  // the sum of the classes is larger than 65504
    const at::Tensor x = at::full({1, 70}, 1000, type), y = at::zeros({1, 70}, type);
    same(multilabel_soft_margin_loss(x, y), at::full({}, 1000, type));
  }

  const at::Tensor s = at::rand({2, 3}), one = at::ones({2, 1}), yes = at::ones({2, 3}, at::kBool),
                   whole_numbers = at::ones({2, 3}, at::kLong), none = at::rand({}), two = at::rand({2});
  refused([&] { multilabel_soft_margin_loss(s, one); }, "multilabel_soft_margin_loss: [2, 3] x [2, 1]: shapes differ");
  refused([&] { multilabel_soft_margin_loss(whole_numbers, s); },
          "multilabel_soft_margin_loss: int64[2, 3] x [2, 3]: not a floating-point dtype");
  refused([&] { multilabel_soft_margin_loss(s, yes); },
          "multilabel_soft_margin_loss: [2, 3] x bool[2, 3]: no rule for booleans");
  refused([&] { multilabel_soft_margin_loss(none, none); },
          "multilabel_soft_margin_loss: [] x []: no rule for these ranks");
  refused([&] { multilabel_soft_margin_loss(s, s, two); },
          "multilabel_soft_margin_loss: [2, 3] x [2, 3] x [2]: not broadcastable");
  STATIC_REQUIRE(!Accepts<struct multilabel_soft_margin_loss, shape<3>, shape<3>, decltype(reduction = kBatchMean)>);
  STATIC_REQUIRE(!Accepts<struct multilabel_soft_margin_loss, shape<2, 3>, shape<2, 3>, shape<4>>);
}

}  // namespace koila::test
