// SPDX-License-Identifier: MIT
#include "ops/check_activation.hpp"

namespace koila::test {

TEST_CASE("silu") {
  const auto f = [](const auto& x) { return koila::silu(x); };
  const auto g = [](const at::Tensor& x) { return at::silu(x); };
  check_activation(f, g);
  check_typed(f, g, std::pair{input<4, batch>{}, normal({4, 5}).to(at::kFloat)});
  check_typed(f, g, std::pair{parameter<float64, 3>{}, normal({3})});
  refuses_integers(f, "silu");
}

}  // namespace koila::test
