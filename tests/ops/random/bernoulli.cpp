// SPDX-License-Identifier: MIT
#include "ops/drawn.hpp"

namespace koila::test {

TEST_CASE("bernoulli") {
  SECTION("the same for every chunk") {
    for (const int d : {0, 1, 2}) {
      const bound x = leaf(normal({7, 11, 5}).sigmoid(), d);
      const at::Tensor y = drawn(bernoulli(x.leaf), x);
      CHECK((y.eq(0) | y.eq(1)).all().item<bool>());
      drawn(bernoulli(flatten(transpose(x.leaf, 0_c, 1_c), 1_c, 2_c)), x);
    }
  }
  SECTION("as often as the probability says") {
    for (const auto type : {at::kDouble, at::kFloat, at::kBFloat16})
      for (const double p : {0.0, 0.125, 0.5, 0.875, 1.0}) {
        manual_seed(3);
        const at::Tensor y = bernoulli(at::full({300, 300}, p, type));
        CHECK(y.scalar_type() == type);
        CHECK(std::abs(y.to(at::kDouble).mean().item<double>() - p) <= 5 * std::sqrt(p * (1 - p) / 9e4));
      }
    CHECK_THROWS_AS(bernoulli(at::full({3}, 1.5)), c10::Error);
    CHECK_THROWS_AS(bernoulli(at::full({3}, NAN)), c10::Error);
  }
  SECTION("without gradient") {
    // If all probabilities are 0 or 1, the result is not random.
    check(
        ask{.quotients = false}, [](const auto& x) { return mul(x, bernoulli(x)); },
        [](const at::Tensor& x) { return x * at::bernoulli(x.detach()); },
        per_sample(normal({5, 3}).gt(0).to(at::kDouble), 1));
  }
  SECTION("refused") {
    const at::Tensor integers = at::arange(3);
    refused([&] { bernoulli(integers); }, "bernoulli: int64[3]: not a floating-point dtype");
  }
}

}  // namespace koila::test
