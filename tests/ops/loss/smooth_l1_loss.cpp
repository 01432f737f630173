// SPDX-License-Identifier: MIT
#include "ops/check_loss.hpp"

namespace koila::test {

TEST_CASE("smooth_l1_loss") {
  for (const double b : {1.0, 0.3, 0.0}) {
    const auto f = [=](auto choice, const auto& x, const auto& y) {
      return smooth_l1_loss(x, y, beta = b, reduction = choice);
    };
    const auto g = [=](std::int64_t reduction, const at::Tensor& x, const at::Tensor& y) {
      return at::smooth_l1_loss(x, y, reduction, b);
    };
    const ask what{.twice = b > 0};  // LibTorch's second derivative is 0 / beta
    for (const auto& s : loss_sizes())
      check_reductions(what, f, g, per_sample(normal(s.sizes), s.batch), per_sample(normal(s.sizes), s.batch));
    check_reductions(what, f, g, per_sample(at::ones({3, 2}, at::kDouble)), per_sample(at::ones({3, 2}, at::kDouble)));
    check_reductions_typed(f, g, std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
                           std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)});
    const at::Tensor odd = at::tensor({NAN, INFINITY, -INFINITY, 0.0F, 1e30F}), one = at::ones({5});
    same(f(kNone, odd, one), g(at::Reduction::None, odd, one));
  }
  const at::Tensor s = at::rand({2, 3}), t = at::rand({2, 1});
  refused([&] { smooth_l1_loss(s, t); }, "smooth_l1_loss: [2, 3] x [2, 1]: shapes differ");
  refused([&] { smooth_l1_loss(s, s, beta = -1.0); }, "smooth_l1_loss: [2, 3] x [2, 3]: a size is out of range");
}

TEST_CASE("trials H6: smooth_l1_loss with a beta of 0 has the slope -1 where both are equal") {
  const auto f = [](const auto& x, const auto& y) { return smooth_l1_loss(x, y, beta = 0.0, reduction = kSum); };
  const auto g = [](const at::Tensor& x, const at::Tensor& y) {
    return at::smooth_l1_loss(x, y, at::Reduction::Sum, 0.0);
  };
  const at::Tensor x = at::tensor({1.0, 2.0, -0.5, 0.0, 3.0}, at::kDouble),
                   y = at::tensor({1.0, 1.5, -0.5, -0.0, 4.0}, at::kDouble);
  check({.twice = false, .quotients = false}, f, g, per_sample(x), per_sample(y));
  const bound a = leaf(x, 0), b = leaf(y, 0);
  const auto loss = f(a.leaf, b.leaf);
  same(run(gradient(loss, a.leaf), binding<at::Tensor>{a.leaf.state, x}, binding<at::Tensor>{b.leaf.state, y}),
       at::tensor({-1, 1, -1, -1, -1}, at::kDouble));
  const double nan = NAN, inf = INFINITY;
  check({.twice = false, .quotients = false}, f, g, per_sample(at::tensor({nan, inf, -inf, 1.0}, at::kDouble)),
        per_sample(at::ones({4}, at::kDouble)));
}

}  // namespace koila::test
