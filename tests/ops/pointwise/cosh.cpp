// SPDX-License-Identifier: MIT
#include "ops/elementwise.hpp"

namespace koila::test {

TEST_CASE("cosh") {
  const auto f = [](const auto& x) { return koila::cosh(x); };
  const auto g = [](const at::Tensor& x) { return at::cosh(x); };
  check_unary<struct ops::cosh>(f, g);
  check_integers(f, g, {at::kBool, at::kByte, at::kInt, at::kLong});
}

}  // namespace koila::test
