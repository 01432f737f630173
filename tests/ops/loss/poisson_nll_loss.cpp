// SPDX-License-Identifier: MIT
#include "ops/check_loss.hpp"

namespace koila::test {

TEST_CASE("poisson_nll_loss") {
  for (const bool logarithm : {true, false})
    for (const bool all : {false, true}) {
      const auto f = [=](auto choice, const auto& x, const auto& y) {
        return poisson_nll_loss(x, y, log_input = logarithm, full = all, reduction = choice);
      };
      const auto g = [=](std::int64_t reduction, const at::Tensor& x, const at::Tensor& y) {
        return at::poisson_nll_loss(x, y, logarithm, all, 1e-8, reduction);
      };
      for (const auto& s : loss_sizes())
        check_reductions({}, f, g, per_sample(positive(s.sizes), s.batch), per_sample(positive(s.sizes) * 2, s.batch));
      check_reductions({}, f, g, per_sample(positive({5, 3})), whole(positive({3}) * 3));
      check_reductions_typed(f, g, std::pair{input<batch, 4>{}, positive({5, 4}).to(at::kFloat)},
                             std::pair{input<batch, 4>{}, (positive({5, 4}) * 2).to(at::kFloat)});
      const at::Tensor x = at::full({6}, 0.5), counts = at::tensor({0.0F, 1.0F, 2.0F, 30.0F, INFINITY, NAN});
      same(f(kNone, x, counts), g(at::Reduction::None, x, counts));
    }
  const bound x = leaf(at::ones({3}, at::kDouble)), none = leaf(at::zeros({3}, at::kDouble));
  CHECK(run(gradient(poisson_nll_loss(x.leaf, none.leaf, full = true), none.leaf)).isfinite().all().item<bool>());
  const at::Tensor s = at::rand({2, 3}), t = at::rand({2});
  refused([&] { poisson_nll_loss(s, t); }, "poisson_nll_loss: [2, 3] x [2]: not broadcastable");
}

TEST_CASE("trials A1: in poisson_nll_loss a number has the dtype of the other operand") {
  for (const bool logarithm : {true, false})
    for (const double v : {0.3, 2.0}) {
      const auto f = [=](const auto& x, const auto& y) {
        return poisson_nll_loss(x, y, log_input = logarithm, full = true, reduction = kSum);
      };
      const auto g = [=](const at::Tensor& x, const at::Tensor& y) {
        return at::poisson_nll_loss(x, y, logarithm, true, 1e-8, at::Reduction::Sum);
      };
      const at::Tensor number = at::full({5, 3}, v, at::kDouble);
      const operand x = per_sample(positive({5, 3}));
      check([=](const auto& t) { return f(t, v); },
            [=](const at::Tensor& t) { return g(t, number.to(t.scalar_type())); }, x);
      check([=](const auto& t) { return f(v, t); },
            [=](const at::Tensor& t) { return g(number.to(t.scalar_type()), t); }, x);
    }
}

TEST_CASE("trials A1: poisson_nll_loss refuses booleans as counts whose factorials it would add") {
  const at::Tensor x = at::rand({3, 2}), t = at::ones({3, 2}, at::kBool);
  refused([&] { poisson_nll_loss(x, t, full = true); }, "poisson_nll_loss: [3, 2] x bool[3, 2]: no rule for booleans");
  CHECK_THROWS_AS(at::poisson_nll_loss(x, t, true, true, 1e-8, at::Reduction::Mean), c10::Error);
  same(poisson_nll_loss(x, t), at::poisson_nll_loss(x, t, true, false, 1e-8, at::Reduction::Mean));
}

}  // namespace koila::test
