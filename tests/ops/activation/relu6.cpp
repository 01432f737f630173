// SPDX-License-Identifier: MIT
#include "ops/check_activation.hpp"

namespace koila::test {

TEST_CASE("relu6") {
  const auto f = [](const auto& x) { return relu6(x); };
  const auto g = [](const at::Tensor& x) { return at::relu6(x); };
  check_activation(f, g);
  check_typed(f, g, std::pair{input<4, batch>{}, normal({4, 5}).to(at::kFloat)});
  check_integers(f, g, {at::kInt, at::kLong, at::kByte});
  refuses_dtype(f, at::kBool, "relu6: bool[3]: no rule for booleans");
}

TEST_CASE("trials H7: relu6 of NaN has one slope, wherever it is") {
  check_every_place([](const auto& x) { return koila::relu6(x); }, [](const at::Tensor& x) { return at::relu6(x); });
}

}  // namespace koila::test
