// SPDX-License-Identifier: MIT
#include "ops/check_loss.hpp"

namespace koila::test {

TEST_CASE("binary_cross_entropy") {
  const auto f = [](auto choice, const auto& x, const auto& y) {
    return binary_cross_entropy(x, y, reduction = choice);
  };
  const auto g = [](std::int64_t reduction, const at::Tensor& x, const at::Tensor& y) {
    return at::binary_cross_entropy(x, y, {}, reduction);
  };
  const auto weighted = [](auto choice, const auto& x, const auto& y, const auto& w) {
    return binary_cross_entropy(x, y, w, reduction = choice);
  };
  // LibTorch has no gradient of the weights, and adds 1e-12 to each denominator of the second
  // derivative.
  const auto want_weighted = [](std::int64_t reduction, const at::Tensor& x, const at::Tensor& y, const at::Tensor& w) {
    const at::Tensor loss = reduce(-(y * x.log() + (1 - y) * (-x).log1p()) * w, reduction);
    same(loss.detach(), at::binary_cross_entropy(x.detach(), y.detach(), w.detach(), reduction),
         x.scalar_type() == at::kDouble);
    return loss;
  };
  for (const auto& s : loss_sizes()) {
    const operand x = per_sample(normal(s.sizes).sigmoid(), s.batch),
                  y = per_sample(normal(s.sizes).sigmoid(), s.batch);
    check_reductions({.twice = false}, f, g, x, y);
    check_reductions({}, weighted, want_weighted, x, y, per_sample(positive(s.sizes), s.batch));
  }
  const operand x = per_sample(normal({5, 3}).sigmoid()), y = per_sample(normal({5, 3}).sigmoid());
  check_reductions({}, weighted, want_weighted, x, y, whole(positive({3})));
  check_reductions({}, weighted, want_weighted, x, y, per_sample(positive({5, 1})));
  check_reductions({.twice = false}, f, g, whole(at::full({}, 0.3, at::kDouble)),
                   whole(at::full({}, 0.9, at::kDouble)));
  check_reductions_typed(weighted, want_weighted, std::pair{input<batch, 4>{}, normal({5, 4}).sigmoid().to(at::kFloat)},
                         std::pair{input<batch, 4>{}, normal({5, 4}).sigmoid().to(at::kFloat)},
                         std::pair{parameter<4>{}, positive({4}).to(at::kFloat)});

  const at::Tensor half = at::full({2, 3}, 0.5), two = at::rand({2}), tall = at::rand({4, 2, 3});
  refused([&] { binary_cross_entropy(half, half, two); },
          "binary_cross_entropy: [2, 3] x [2, 3] x [2]: not broadcastable");
  refused([&] { binary_cross_entropy(half, half, tall); },
          "binary_cross_entropy: [2, 3] x [2, 3] x [4, 2, 3]: not broadcastable");
}

}  // namespace koila::test
