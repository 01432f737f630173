// SPDX-License-Identifier: MIT
#include "ops/check_loss.hpp"

namespace koila::test {

TEST_CASE("binary_cross_entropy_with_logits") {
  const auto f = [](auto choice, const auto& x, const auto& y) {
    return binary_cross_entropy_with_logits(x, y, reduction = choice);
  };
  const auto g = [](std::int64_t reduction, const at::Tensor& x, const at::Tensor& y) {
    return at::binary_cross_entropy_with_logits(x, y, {}, {}, reduction);
  };
  const auto weighted = [](auto choice, const auto& x, const auto& y, const auto& w) {
    return binary_cross_entropy_with_logits(x, y, w, reduction = choice);
  };
  const auto twice_weighted = [](auto choice, const auto& x, const auto& y, const auto& w, const auto& p) {
    return binary_cross_entropy_with_logits(x, y, w, p, reduction = choice);
  };
  // LibTorch has no gradient of the weights.
  const auto want_twice = [](std::int64_t reduction, const at::Tensor& x, const at::Tensor& y, const at::Tensor& w,
                             const at::Tensor& p) {
    const at::Tensor loss = reduce(((1 - y) * x - ((p - 1) * y + 1) * at::log_sigmoid(x)) * w, reduction);
    same(loss.detach(),
         at::binary_cross_entropy_with_logits(x.detach(), y.detach(), w.detach(), p.detach(), reduction));
    return loss;
  };
  const auto want_weighted = [=](std::int64_t reduction, const at::Tensor& x, const at::Tensor& y,
                                 const at::Tensor& w) {
    return want_twice(reduction, x, y, w, at::ones({}, x.options()));
  };
  for (const auto& s : loss_sizes())
    check_reductions({}, f, g, per_sample(normal(s.sizes), s.batch), per_sample(normal(s.sizes).sigmoid(), s.batch));
  const operand x = per_sample(normal({5, 3})), y = per_sample(normal({5, 3}).sigmoid());
  check_reductions({}, weighted, want_weighted, x, y, per_sample(positive({5, 1})));
  check_reductions({}, twice_weighted, want_twice, x, y, per_sample(positive({5, 3})), whole(positive({3})));
  check([](const auto& x, const auto& y, const auto& p) { return binary_cross_entropy_with_logits(x, y, 1, p); },
        [=](const at::Tensor& x, const at::Tensor& y, const at::Tensor& p) {
          return want_twice(at::Reduction::Mean, x, y, at::ones({}, x.options()), p);
        },
        x, y, whole(positive({3})));
  // Logits whose sigmoid is 0 or 1, and 0 itself.
  check_reductions({}, f, g, per_sample(at::tensor({0.0, 800.0, -800.0, 40.5, -40.5, 1e-30}, at::kDouble)),
                   per_sample(at::tensor({0.5, 0.0, 1.0, 1.0, 0.0, 1.0}, at::kDouble)));
  check_reductions_typed(f, g, std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
                         std::pair{input<batch, 4>{}, normal({5, 4}).sigmoid().to(at::kFloat)});

  const at::Tensor s = at::rand({2, 3}), t = at::rand({2, 1}), two = at::rand({2});
  refused([&] { binary_cross_entropy_with_logits(s, t); },
          "binary_cross_entropy_with_logits: [2, 3] x [2, 1]: shapes differ");
  refused([&] { binary_cross_entropy_with_logits(s, s, s, two); },
          "binary_cross_entropy_with_logits: [2, 3] x [2, 3] x [2, 3] x [2]: not broadcastable");
}

}  // namespace koila::test
