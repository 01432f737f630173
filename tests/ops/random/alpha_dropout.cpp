// SPDX-License-Identifier: MIT
#include "ops/drawn.hpp"

namespace koila::test {

TEST_CASE("alpha_dropout") {
  SECTION("elements are kept or take one value, for every chunk the same ones") {
    for (const int d : {0, 1, 2}) {
      const bound x = some_input({7, 11, 5}, d);
      const auto y = let(alpha_dropout(x.leaf, ops::p = 0.25));
      const at::Tensor value = drawn(y, x), slope = drawn(gradient(sum(y), x.leaf), x);
      const double alpha = 1.7580993408473766, a = 1 / std::sqrt((alpha * alpha * 0.25 + 1) * 0.75);
      const at::Tensor kept = slope.ne(0);
      same(slope, kept.to(at::kDouble) * a);
      same(value, at::where(kept, x.value, -alpha) * a + alpha * a * 0.25);
      CHECK(kept.any().item<bool>());
      CHECK(kept.logical_not().any().item<bool>());
    }
  }
  SECTION("mean and variance stay") {
    manual_seed(8);
    const at::Tensor y = alpha_dropout(normal({400, 400}), 0.3);
    CHECK(std::abs(y.mean().item<double>()) < 0.02);
    CHECK(std::abs(y.var().item<double>() - 1) < 0.02);
  }
  SECTION("none and all dropped, inference") {
    const operand x = per_sample(normal({5, 3}));
    check([](const auto& x) { return alpha_dropout(x, 0.0); }, [](const at::Tensor& x) { return x * 1; }, x);
    check([](const auto& x) { return alpha_dropout(x, ops::p = 1); },
          [](const at::Tensor& x) { return at::alpha_dropout(x, 1, true); }, x);
    check([](const auto& x) { return alpha_dropout(x, 0.3, training = false); },
          [](const at::Tensor& x) { return x * 1; }, x);
  }
  SECTION("refused") {
    const at::Tensor x = at::rand({3});
    refused([&] { alpha_dropout(x, 2.0); }, "alpha_dropout: [3]: the probability is not in [0, 1]");
  }
}

}  // namespace koila::test
