// SPDX-License-Identifier: MIT
#include "ops/check_loss.hpp"

namespace koila::test {

TEST_CASE("soft_margin_loss") {
  const auto f = [](auto choice, const auto& x, const auto& t) { return soft_margin_loss(x, t, reduction = choice); };
  const auto g = [](std::int64_t reduction, const at::Tensor& x, const at::Tensor& t) {
    return at::soft_margin_loss(x, t, reduction);
  };
  const auto signs = [](at::IntArrayRef sizes) { return normal(sizes).sign().to(at::kLong); };
  for (const auto& s : loss_sizes())
    check_reductions({}, f, g, per_sample(normal(s.sizes) * 4, s.batch), per_sample(signs(s.sizes), s.batch));
  check_reductions({}, f, g, whole(normal({3, 4})), whole(signs({3, 4})));
  check_reductions({}, f, g, whole(normal({})), whole(signs({})));
  check_reductions({}, f, g, per_sample(normal({5, 3}) * 30), per_sample(signs({5, 3})));  // where softplus is linear
  check([](const auto& x, const auto& t) { return soft_margin_loss(x, t); },
        [](const at::Tensor& x, const at::Tensor& t) { return at::soft_margin_loss(x, t); }, per_sample(normal({5, 3})),
        per_sample(signs({5, 3})));

  // LibTorch has no gradient of the target. The reference is LibTorch's formula.
  const auto formula = [=](std::int64_t reduction, const at::Tensor& x, const at::Tensor& t) {
    const at::Tensor loss = reduce((-x * t).exp().log1p(), reduction);
    same(loss.detach(), g(reduction, x.detach(), t.detach()), x.scalar_type() == at::kDouble);
    return loss;
  };
  check_reductions({}, f, formula, per_sample(normal({5, 3})), per_sample(normal({5, 3})));
  check_reductions({}, f, formula, per_sample(normal({2, 8}), 1), per_sample(normal({2, 8}), 1));
  check_reductions_typed(f, formula, std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
                         std::pair{input<batch, 4>{}, normal({5, 4}).sign().to(at::kFloat)});

  const at::Tensor s = at::rand({2, 3}), one = at::ones({2, 1}), truth = at::ones({2, 3}, at::kBool),
                   bytes = at::ones({2, 3}, at::kByte), whole_numbers = at::ones({2, 3}, at::kLong);
  refused([&] { soft_margin_loss(s, one); }, "soft_margin_loss: [2, 3] x [2, 1]: shapes differ");
  refused([&] { soft_margin_loss(whole_numbers, s); },
          "soft_margin_loss: int64[2, 3] x [2, 3]: not a floating-point dtype");
  refused([&] { soft_margin_loss(s, truth); }, "soft_margin_loss: [2, 3] x bool[2, 3]: no rule for booleans");
  refused([&] { soft_margin_loss(s, bytes); }, "soft_margin_loss: [2, 3] x uint8[2, 3]: no rule for these dtypes");
  STATIC_REQUIRE(!Accepts<struct soft_margin_loss, shape<3>, shape<3>, decltype(reduction = kBatchMean)>);
  STATIC_REQUIRE(!Accepts<struct soft_margin_loss, shape<3>, shape<4>>);
}

TEST_CASE("soft_margin_loss: special values, and dtypes") {
  const at::Tensor x = at::tensor({double{NAN}, double{INFINITY}, -double{INFINITY}, double{INFINITY}, 0.0, -0.0, 30.0,
                                   -30.0, 39.9, -39.9, 40.1, -40.1, 300.0},
                                  at::kDouble),
                   t = at::ones({13}, at::kDouble).index_fill(0, at::tensor(3L), 0);
  for (const at::Tensor& target : {t, -t}) {
    same(soft_margin_loss(x, target, reduction = kNone), at::soft_margin_loss(x, target, at::Reduction::None));
    CHECK(soft_margin_loss(x, target).isnan().item<bool>());
  }
  // The result has the dtype of x, for any dtype of the target.
  const at::Tensor some = normal({5, 3}), signs = normal({5, 3}).sign();
  for (const auto type : {at::kDouble, at::kFloat, at::kHalf, at::kBFloat16})
    for (const auto of_target : {at::kDouble, at::kFloat, at::kHalf, at::kBFloat16, at::kInt, at::kChar}) {
      const at::Tensor a = some.to(type), b = signs.to(of_target);
      const at::Tensor got = soft_margin_loss(a, b, reduction = kNone),
                       exact = at::soft_margin_loss(a.to(at::kDouble), signs, at::Reduction::None);
      REQUIRE(got.scalar_type() == type);
      rounded_once(got, exact, type);
      same(run(soft_margin_loss(lazy<batch>(a), lazy<batch>(b), reduction = kNone), {.chunk = 2}), got);
    }
  // Where LibTorch's formula overflows, the loss is -t * x, and its slope is -t.
  const at::Tensor large = at::tensor({-100.0F, 1e30F, -80.0F}), target = at::tensor({1.0F, -1.0F, 1.0F});
  CHECK(at::soft_margin_loss(large, target, at::Reduction::None).isinf().sum().item<std::int64_t>() == 2);
  same(soft_margin_loss(large, target, reduction = kNone), -target * large);
  const bound leaf_of_large = leaf(large);
  same(run(gradient(soft_margin_loss(leaf_of_large.leaf, lazy(target), reduction = kSum), leaf_of_large.leaf)),
       -target);
}

}  // namespace koila::test
