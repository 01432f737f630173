// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("bce") {
  const auto f = [](const auto& x, const auto& y) { return bce(x, y); };
  const auto g = [](const at::Tensor& x, const at::Tensor& y) {
    return at::binary_cross_entropy(x, y, {}, at::Reduction::None);
  };
  // LibTorch adds 1e-12 to each denominator of the second derivative.
  const auto formula = [](const at::Tensor& x, const at::Tensor& y) { return -(y * x.log() + (1 - y) * (-x).log1p()); };
  const auto probabilities = [](at::IntArrayRef sizes) { return normal(sizes).sigmoid() * 0.8 + 0.1; };
  for (const auto& s : some_sizes(1)) {
    const operand x = per_sample(probabilities(s.sizes), s.batch), y = per_sample(probabilities(s.sizes), s.batch);
    check(ask{.twice = false}, f, g, x, y);
    check(f, formula, x, y);
  }
  check_typed(f, formula, std::pair{input<batch, 4>{}, normal({5, 4}).sigmoid().to(at::kFloat)},
              std::pair{input<batch, 4>{}, normal({5, 4}).sigmoid().to(at::kFloat)});
  // Predictions of 0 or 1, or near them, right and wrong.
  const at::Tensor sure = at::tensor({0.0, 1.0, 0.0, 1.0, 1e-300, 1e-13}, at::kDouble),
                   right = at::tensor({0.0, 1.0, 1.0, 0.0, 1.0, 0.5}, at::kDouble);
  same(f(sure, right), g(sure, right));
  const bound x = leaf(sure, 0), y = leaf(right, 0);
  same(run(gradient(sum(f(x.leaf, y.leaf)), x.leaf), binding<at::Tensor>{x.leaf.state, sure},
           binding<at::Tensor>{y.leaf.state, right}),
       at::binary_cross_entropy_backward(at::ones_like(sure), sure, right, {}, at::Reduction::None));

  const at::Tensor half = at::full({2, 3}, 0.5), other = at::full({3}, 0.5), wide = half.to(at::kDouble);
  refused([&] { bce(half, other); }, "bce: [2, 3] x [3]: shapes differ");
  refused([&] { bce(half, wide); }, "bce: [2, 3] x float64[2, 3]: dtypes differ");
  CHECK_THROWS_AS(bce(half + 1, half), c10::Error);
}

}  // namespace koila::test
