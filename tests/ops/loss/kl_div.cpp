// SPDX-License-Identifier: MIT
#include "ops/check_loss.hpp"

namespace koila::test {

TEST_CASE("kl_div") {
  for (const bool logarithms : {false, true}) {
    const auto f = [=](auto choice, const auto& x, const auto& y) {
      return kl_div(x, y, log_target = logarithms, reduction = choice);
    };
    const auto g = [=](std::int64_t reduction, const at::Tensor& x, const at::Tensor& y) {
      return at::kl_div(x, y, reduction, logarithms);
    };
    for (const auto& s : loss_sizes()) {
      const operand x = per_sample(normal(s.sizes), s.batch), y = per_sample(positive(s.sizes), s.batch);
      check_reductions({}, f, g, x, y);
      check([=](const auto& x, const auto& y) { return kl_div(x, y, log_target = logarithms, reduction = kBatchMean); },
            [=](const at::Tensor& x, const at::Tensor& y) {
              return at::kl_div(x, y, at::Reduction::Sum, logarithms) / x.size(0);
            },
            x, y);
    }
    check_reductions({}, f, g, per_sample(normal({5, 3})), whole(positive({3})));
    check_reductions_typed(f, g, std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
                           std::pair{input<batch, 4>{}, positive({5, 4}).to(at::kFloat)});
    const at::Tensor zeros = at::zeros({4}), odd = at::tensor({0.0F, 1.0F, NAN, INFINITY});
    same(f(kNone, zeros, odd), g(at::Reduction::None, zeros, odd));
  }
  const at::Tensor s = at::rand({2, 3}), t = at::rand({2});
  refused([&] { kl_div(s, t); }, "kl_div: [2, 3] x [2]: not broadcastable");
  STATIC_REQUIRE(!Accepts<struct kl_div, shape<>, shape<>, decltype(reduction = kBatchMean)>);
}

TEST_CASE("trials H6: kl_div's gradient of a target that is 0 is NaN, as LibTorch's") {
  const ask once{.twice = false, .quotients = false};
  const auto f = [](const auto& x, const auto& y) { return kl_div(x, y, reduction = kNone); };
  const auto g = [](const at::Tensor& x, const at::Tensor& y) { return at::kl_div(x, y, at::Reduction::None); };
  check(once, f, g, per_sample(normal({5})), per_sample(at::tensor({0.0, 0.5, 0.25, 0.0, 1.0}, at::kDouble)));
  // Infinite and negative targets, and a log-target of 0.
  check(once, f, g, per_sample(normal({4})), per_sample(at::tensor({INFINITY, -0.5F, 0.25F, -0.0F}).to(at::kDouble)));
  check(
      once, [](const auto& x, const auto& y) { return kl_div(x, y, log_target = true, reduction = kNone); },
      [](const at::Tensor& x, const at::Tensor& y) { return at::kl_div(x, y, at::Reduction::None, true); },
      per_sample(normal({3})), per_sample(at::tensor({-INFINITY, -0.5F, 0.0F}).to(at::kDouble)));
}

TEST_CASE("trials A1: kl_div of a target that is a number has the precision of x") {
  const at::Tensor x = normal({5, 3}), target = at::full({}, 0.3, at::kDouble);
  same(kl_div(x, 0.3), at::kl_div(x, target));
  same(run(kl_div(lazy<batch>(x), 0.3), {.chunk = 2}), at::kl_div(x, target));
  same(kl_div(x, -1.2, log_target = true), at::kl_div(x, at::full({}, -1.2, at::kDouble), at::Reduction::Mean, true));
  // If x is a scalar too, the result has the wider dtype. The reference is computed in float64,
  // because LibTorch computes functions of a number in float32, even together with float64, and
  // rounds a product to x's dtype.
  at::Tensor number = target.clone();
  number.unsafeGetTensorImpl()->set_wrapped_number(true);
  for (const at::ScalarType type : {at::kHalf, at::kBFloat16, at::kFloat, at::kDouble})
    for (const bool logarithms : {false, true}) {
      const at::Tensor one = at::full({}, -0.7, type);
      const at::ScalarType wide = at::kl_div(one, number, at::Reduction::Mean, logarithms).scalar_type();
      const at::Tensor want = at::kl_div(one.to(at::kDouble), target, at::Reduction::Mean, logarithms).to(wide);
      same(kl_div(one, 0.3, log_target = logarithms), want);
      same(run(kl_div(lazy(one), 0.3, log_target = logarithms)), want);
    }
}

}  // namespace koila::test
