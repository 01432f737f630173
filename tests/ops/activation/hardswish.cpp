// SPDX-License-Identifier: MIT
#include "ops/check_activation.hpp"

namespace koila::test {

TEST_CASE("hardswish") {
  const auto f = [](const auto& x) { return koila::hardswish(x); };
  const auto g = [](const at::Tensor& x) { return at::hardswish(x); };
  check_activation(f, g);
  check_typed(f, g, std::pair{input<4, batch>{}, normal({4, 5}).to(at::kFloat)});
  check_typed(f, g, std::pair{parameter<float64, 3>{}, normal({3})});
  refuses_integers(f, "hardswish");
}

TEST_CASE("hardswish of NaN has one slope, wherever it is") {
  check_every_place([](const auto& x) { return koila::hardswish(x); },
                    [](const at::Tensor& x) { return at::hardswish(x); });
}

}  // namespace koila::test
