// SPDX-License-Identifier: MIT
#include "ops/check_activation.hpp"

namespace koila::test {

TEST_CASE("hardshrink") {
  const auto f = [](const auto& x) { return hardshrink(x); };
  const auto g = [](const at::Tensor& x) { return at::hardshrink(x); };
  check_activation(f, g);
  check_typed(f, g, std::pair{input<4, batch>{}, normal({4, 5}).to(at::kFloat)});
  check([](const auto& x) { return hardshrink(x, 1); }, [](const at::Tensor& x) { return at::hardshrink(x, 1); },
        per_sample(kinks()));
  check([](const auto& x) { return hardshrink(x, lambd = 0.25); },
        [](const at::Tensor& x) { return at::hardshrink(x, 0.25); }, per_sample(normal({5, 3})));
  refuses_integers(f, "hardshrink");
}

TEST_CASE("trials H7: hardshrink of NaN has one slope, wherever it is") {
  check_every_place([](const auto& x) { return koila::hardshrink(x); },
                    [](const at::Tensor& x) { return at::hardshrink(x); });
}

}  // namespace koila::test
