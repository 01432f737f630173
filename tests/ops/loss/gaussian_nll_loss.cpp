// SPDX-License-Identifier: MIT
#include "ops/check_loss.hpp"

namespace koila::test {

TEST_CASE("gaussian_nll_loss: a negative variance counts as eps, however large") {
  const at::Tensor x = at::zeros({3}), y = at::full({3}, 1e-3);
  const at::Tensor far = gaussian_nll_loss(x, y, at::full({3}, -100.0F)),
                   least = gaussian_nll_loss(x, y, at::full({3}, 1e-6F));
  CHECK(std::abs(far.item<double>() - least.item<double>()) <= 1e-5);
}

TEST_CASE("gaussian_nll_loss") {
  for (const bool all : {false, true}) {
    const auto f = [=](auto choice, const auto& x, const auto& y, const auto& v) {
      return gaussian_nll_loss(x, y, v, full = all, reduction = choice);
    };
    // The formula of LibTorch's Python library; its C++ library has no such loss.
    const auto g = [=](std::int64_t reduction, const at::Tensor& x, const at::Tensor& y, const at::Tensor& variance) {
      const at::Tensor given = variance.dim() + 1 == x.dim() ? variance.unsqueeze(-1) : variance;
      const at::Tensor v = given + (given.detach().clamp_min(1e-6) - given.detach());
      return reduce((v.log() + (x - y) * (x - y) / v) * 0.5 + (all ? 0.5 * std::log(2 * M_PI) : 0.0), reduction);
    };
    for (const auto& s : loss_sizes())
      check_reductions({}, f, g, per_sample(normal(s.sizes), s.batch), per_sample(normal(s.sizes), s.batch),
                       per_sample(positive(s.sizes), s.batch));
    const operand x = per_sample(normal({5, 3})), y = per_sample(normal({5, 3}));
    check_reductions({}, f, g, x, y, per_sample(positive({5, 1})));
    check_reductions({}, f, g, x, y, per_sample(positive({5})));
    check_reductions({.twice = false, .quotients = false}, f, g, per_sample(at::ones({5, 3}, at::kDouble)),
                     per_sample(at::ones({5, 3}, at::kDouble)),
                     per_sample(at::full({5, 3}, 1e-7, at::kDouble)));  // clamped to eps
    check_reductions_typed(f, g, std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
                           std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
                           std::pair{input<batch, 4>{}, positive({5, 4}).to(at::kFloat)});
    check([=](const auto& x, const auto& y) { return gaussian_nll_loss(x, y, 2, full = all); },
          [=](const at::Tensor& x, const at::Tensor& y) {
            return g(at::Reduction::Mean, x, y, at::full({}, 2, x.options()));
          },
          x, y);
  }
  const at::Tensor s = at::rand({2, 3}), t = at::rand({2, 1}), v = at::rand({3});
  refused([&] { gaussian_nll_loss(s, t, s); }, "gaussian_nll_loss: [2, 3] x [2, 1] x [2, 3]: shapes differ");
  refused([&] { gaussian_nll_loss(s, s, v); }, "gaussian_nll_loss: [2, 3] x [2, 3] x [3]: shapes differ");
  refused([&] { gaussian_nll_loss(s, s, s, eps = 1e300); },
          "gaussian_nll_loss: [2, 3] x [2, 3] x [2, 3]: the dtype does not hold the number");
  CHECK(gaussian_nll_loss(s, s, s.to(at::kDouble), eps = 1e300).isfinite().all().item<bool>());
}

TEST_CASE("trials A1: gaussian_nll_loss of a number and integers has the dtype of the variance") {
  const at::Tensor counts = at::full({}, 3, at::kChar), variance = at::full({}, 0.5, at::kHalf);
  const at::Tensor y = gaussian_nll_loss(2.0, counts, variance);
  CHECK(y.scalar_type() == at::kHalf);
  CHECK(std::abs(y.item<double>() - 0.5 * (std::log(0.5) + 1 / 0.5)) < 1e-3);
  same(run(gaussian_nll_loss(2.0, lazy(counts), lazy(variance))), y);
}

}  // namespace koila::test
