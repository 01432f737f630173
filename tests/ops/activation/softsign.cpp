// SPDX-License-Identifier: MIT
#include "ops/check_activation.hpp"

namespace koila::test {

TEST_CASE("softsign") {
  const auto f = [](const auto& x) { return softsign(x); };
  const auto g = [](const at::Tensor& x) { return x / (x.abs() + 1); };
  check_activation(f, g);
  check_typed(f, g, std::pair{input<4, batch>{}, normal({4, 5}).to(at::kFloat)});
  check_integers(f, g, {at::kByte, at::kInt, at::kLong});
  refuses_dtype(f, at::kBool, "softsign: bool[3]: no rule for booleans");
}

}  // namespace koila::test
