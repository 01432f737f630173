// SPDX-License-Identifier: MIT
#include "ops/check_activation.hpp"

namespace koila::test {

TEST_CASE("leaky_relu") {
  const auto f = [](const auto& x) { return koila::leaky_relu(x); };
  const auto g = [](const at::Tensor& x) { return at::leaky_relu(x); };
  check_activation(f, g);
  check_typed(f, g, std::pair{input<4, batch>{}, normal({4, 5}).to(at::kFloat)});
  check_activation([](const auto& x) { return leaky_relu(x, 0.2); },
                   [](const at::Tensor& x) { return at::leaky_relu(x, 0.2); });
  check([](const auto& x) { return leaky_relu(x, negative_slope = -1); },
        [](const at::Tensor& x) { return at::leaky_relu(x, -1); }, per_sample(kinks()));
  refuses_integers(f, "leaky_relu");
}

TEST_CASE("leaky_relu of NaN has one slope, wherever it is") {
  check_every_place([](const auto& x) { return koila::leaky_relu(x); },
                    [](const at::Tensor& x) { return at::leaky_relu(x); });
}

}  // namespace koila::test
