// SPDX-License-Identifier: MIT
#include "ops/elementwise.hpp"

namespace koila::test {

TEST_CASE("acosh") {
  const auto f = [](const auto& x) { return koila::acosh(x); };
  const auto g = [](const at::Tensor& x) { return at::acosh(x); };
  check_unary<struct ops::acosh>(f, g, above_one);
  check_integers(f, g, {at::kBool, at::kByte, at::kInt, at::kLong});
}

}  // namespace koila::test
