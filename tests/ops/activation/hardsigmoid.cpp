// SPDX-License-Identifier: MIT
#include "ops/check_activation.hpp"

namespace koila::test {

TEST_CASE("hardsigmoid") {
  const auto f = [](const auto& x) { return koila::hardsigmoid(x); };
  const auto g = [](const at::Tensor& x) { return at::hardsigmoid(x); };
  check_activation(f, g, {.gradients = false});
  // LibTorch's gradient rounds 1 / 6 to float32.
  const auto exact = [](const at::Tensor& x) {
    return at::where(x.isnan(), at::full({}, NAN, x.options()),
                     at::hardtanh(x / 6 + 0.5, 0, 1));  // the slope at NaN is 0
  };
  for (const auto n : batches) check(f, exact, per_sample(normal({2, n, 3}) * 3, 1));
  check(f, exact, per_sample(kinks()));
  check({.twice = false}, f, exact, whole(extremes()));
  check_typed(f, g, std::pair{input<4, batch>{}, normal({4, 5}).to(at::kFloat)});
  check_typed(
      f, [](const at::Tensor& x) { return x / 6 + 0.5; }, std::pair{parameter<float64, 3>{}, normal({3}).tanh()});
  refuses_integers(f, "hardsigmoid");
}

TEST_CASE("hardsigmoid of NaN has one slope, wherever it is") {
  // LibTorch rounds 1 / 6 to float32.
  check_every_place([](const auto& x) { return koila::hardsigmoid(x); },
                    [](const at::Tensor& x) { return at::hardsigmoid(x); }, false);
}

}  // namespace koila::test
