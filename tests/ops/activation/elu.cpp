// SPDX-License-Identifier: MIT
#include "ops/check_activation.hpp"

namespace koila::test {

TEST_CASE("elu") {
  const auto f = [](const auto& x) { return koila::elu(x); };
  const auto g = [](const at::Tensor& x) { return at::elu(x); };
  check_activation(f, g);
  check_typed(f, g, std::pair{input<4, batch>{}, normal({4, 5}).to(at::kFloat)});
  check_activation([](const auto& x) { return elu(x, alpha = 0.7); },
                   [](const at::Tensor& x) { return at::elu(x, 0.7); });
  check([](const auto& x) { return elu(x, 2); }, [](const at::Tensor& x) { return at::elu(x, 2); },
        per_sample(kinks()));
  refuses_integers(f, "elu");
}

TEST_CASE("trials H7: elu of NaN has one slope, wherever it is") {
  check_every_place([](const auto& x) { return koila::elu(x); }, [](const at::Tensor& x) { return at::elu(x); });
}

}  // namespace koila::test
