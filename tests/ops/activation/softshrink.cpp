// SPDX-License-Identifier: MIT
#include "ops/check_activation.hpp"

namespace koila::test {

TEST_CASE("softshrink") {
  const auto f = [](const auto& x) { return softshrink(x); };
  const auto g = [](const at::Tensor& x) { return at::softshrink(x); };
  check_activation(f, g);
  check_typed(f, g, std::pair{input<4, batch>{}, normal({4, 5}).to(at::kFloat)});
  check([](const auto& x) { return softshrink(x, 1); }, [](const at::Tensor& x) { return at::softshrink(x, 1); },
        per_sample(kinks()));
  check([](const auto& x) { return softshrink(x, lambd = 0.25); },
        [](const at::Tensor& x) { return at::softshrink(x, 0.25); }, per_sample(normal({5, 3})));
  refuses_integers(f, "softshrink");
  const at::Tensor t = at::ones({3});
  refused([&] { softshrink(t, -1); }, "softshrink: [3]: a size is out of range");
}

TEST_CASE("trials H7: softshrink of NaN has one slope, wherever it is") {
  check_every_place([](const auto& x) { return koila::softshrink(x); },
                    [](const at::Tensor& x) { return at::softshrink(x); });
}

}  // namespace koila::test
