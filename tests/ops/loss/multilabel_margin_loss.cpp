// SPDX-License-Identifier: MIT
#include "ops/check_loss.hpp"
#include "ops/check_multilabel.hpp"

#include <cmath>

namespace koila::test {

TEST_CASE("multilabel_margin_loss") {
  const auto f = [](auto choice, const auto& x, const auto& target) {
    return multilabel_margin_loss(x, target, reduction = choice);
  };
  const auto g = [](std::int64_t reduction, const at::Tensor& x, const at::Tensor& target) {
    const at::Tensor loss = reduce(multilabel_margin_by_formula(x, target), reduction);
    // For a batch without samples, LibTorch's operator does not write its result.
    if (x.numel() > 0)
      same(loss.detach(), at::multilabel_margin_loss(x.detach(), target, reduction), x.scalar_type() == at::kDouble);
    return loss;
  };
  for (const std::int64_t n : {0, 1, 5, 8})
    for (const std::int64_t classes : {1, 2, 5})
      check_reductions({}, f, g, per_sample(normal({n, classes})), per_sample(some_classes({n, classes})));
  check_reductions({}, f, g, whole(normal({4})), whole(some_classes({4})));
  check_reductions({}, f, g, whole(normal({3, 4})), whole(some_classes({3, 4})));
  check_reductions({}, f, g, per_sample(normal({4, 5}), 1), per_sample(some_classes({4, 5}), 1));  // classes as samples
  check_reductions_typed(f, g, std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
                         std::pair{input<int64, batch, 4>{}, some_classes({5, 4})});
  // LibTorch's own gradient, by default and where margins are met exactly.
  check(
      ask{.twice = false}, [](const auto& x, const auto& target) { return multilabel_margin_loss(x, target); },
      [](const at::Tensor& x, const at::Tensor& target) { return at::multilabel_margin_loss(x.contiguous(), target); },
      per_sample(normal({5, 4})), per_sample(some_classes({5, 4})));
  check_reductions(
      ask{.twice = false}, f,
      [](std::int64_t reduction, const at::Tensor& x, const at::Tensor& target) {
        return at::multilabel_margin_loss(x.contiguous(), target, reduction);
      },
      per_sample(normal({5, 4}).round()), per_sample(some_classes({5, 4})));
}

TEST_CASE("multilabel_margin_loss: special values, ranks and dtypes") {
  constexpr double inf = INFINITY;
  const at::Tensor rows = at::tensor({double{NAN}, 1.0, 2.0, 1.0, NAN, 2.0, 1.0, -inf, 2.0, 1.0, inf, 2.0, inf, inf,
                                      2.0, -inf, inf, 2.0},
                                     at::kDouble)
                              .view({6, 3}),
                   some = at::tensor({0, 2, -1}, at::kLong).expand({6, 3});
  const at::Tensor x = rows.clone().set_requires_grad(true),
                   want = at::multilabel_margin_loss(x, some, at::Reduction::None);
  want.sum().backward();
  const bound ours = leaf(rows);
  const auto y = multilabel_margin_loss(ours.leaf, lazy(some), reduction = kNone);
  same(run(y), want.detach());
  same(run(gradient(sum(y), ours.leaf)), x.grad());

  const at::Tensor t = at::rand({3}), single = at::rand({}), one = at::rand({1}), of = at::zeros({}, at::kLong);
  for (const at::Tensor& target : {at::tensor({-1, 2, 1}, at::kLong), at::tensor({0, -1, 1}, at::kLong),
                                   at::tensor({1, 1, -1}, at::kLong), at::tensor({2, 0, 1}, at::kLong)})
    same(multilabel_margin_loss(t, target), at::multilabel_margin_loss(t, target));
  for (const at::Tensor& a : {single, one})
    for (const at::Tensor& b : {of, of.unsqueeze(0)})
      same(multilabel_margin_loss(a, b, reduction = kNone), at::multilabel_margin_loss(a, b, at::Reduction::None));
  const at::Tensor none = at::rand({0, 3}), no_classes = at::zeros({0, 3}, at::kLong);
  CHECK(multilabel_margin_loss(none, no_classes).isnan().item<bool>());
  CHECK(multilabel_margin_loss(none, no_classes, reduction = kSum).item<double>() == 0);
  for (const auto type : {at::kHalf, at::kBFloat16}) {
    const at::Tensor narrow = (normal({70000, 4}) * 20).to(type), target = some_classes({70000, 4});
    rounded_once(multilabel_margin_loss(narrow, target, reduction = kNone),
                 at::multilabel_margin_loss(narrow.to(at::kFloat), target, at::Reduction::None), type);
    rounded_once(multilabel_margin_loss(narrow, target), at::multilabel_margin_loss(narrow.to(at::kFloat), target),
                 type);
  }
}

TEST_CASE("multilabel_margin_loss: refused") {
  const input<any, any> x{"x"};
  const input<int64, any, any> target{"target"};
  const at::Tensor t = at::rand({2, 3}), some = labels(6, 3).view({2, 3}), row = labels(3, 3),
                   few = labels(4, 2).view({2, 2}), nothing = at::rand({2, 0}),
                   no_classes = at::zeros({2, 0}, at::kLong), cube = at::rand({2, 3, 1}), cubic = some.unsqueeze(2);
  refused([&] { run(multilabel_margin_loss(x, target), x = t, target = few); },
          "multilabel_margin_loss: [2, 3] x int64[2, 2]: shapes differ");
  refused([&] { multilabel_margin_loss(t, row); }, "multilabel_margin_loss: [2, 3] x int64[3]: shapes differ");
  refused([&] { multilabel_margin_loss(t, t); }, "multilabel_margin_loss: [2, 3] x [2, 3]: the labels are not int64");
  refused([&] { multilabel_margin_loss(some, some); },
          "multilabel_margin_loss: int64[2, 3] x int64[2, 3]: not a floating-point dtype");
  refused([&] { multilabel_margin_loss(nothing, no_classes); },
          "multilabel_margin_loss: [2, 0] x int64[2, 0]: a dim without elements has no such value");
  refused([&] { multilabel_margin_loss(cube, cubic); },
          "multilabel_margin_loss: [2, 3, 1] x int64[2, 3, 1]: no rule for these ranks");
  CHECK_THROWS_AS(multilabel_margin_loss(t, some + 3), c10::Error);
  CHECK_THROWS_AS(multilabel_margin_loss(t, some - 4), c10::Error);
  STATIC_REQUIRE(!Accepts<struct multilabel_margin_loss, shape<batch, 3>, shape<int64, batch, 4>>);
  STATIC_REQUIRE(!Accepts<struct multilabel_margin_loss, shape<batch, 3>, shape<int64, batch, 3>,
                          decltype(reduction = kBatchMean)>);
}

}  // namespace koila::test
