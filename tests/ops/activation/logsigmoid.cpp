// SPDX-License-Identifier: MIT
#include "ops/check_activation.hpp"

namespace koila::test {

TEST_CASE("logsigmoid") {
  const auto f = [](const auto& x) { return koila::logsigmoid(x); };
  const auto g = [](const at::Tensor& x) { return at::log_sigmoid(x); };
  check_activation(f, g);
  check_typed(f, g, std::pair{input<4, batch>{}, normal({4, 5}).to(at::kFloat)});
  check_typed(f, g, std::pair{parameter<float64, 3>{}, normal({3})});
  refuses_integers(f, "logsigmoid");
}

}  // namespace koila::test
