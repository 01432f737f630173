// SPDX-License-Identifier: MIT
#include "ops/elementwise.hpp"

namespace koila::test {

TEST_CASE("sin") {
  const auto f = [](const auto& x) { return koila::sin(x); };
  const auto g = [](const at::Tensor& x) { return at::sin(x); };
  check_unary<struct ops::sin>(f, g);
  check_integers(f, g, {at::kBool, at::kByte, at::kInt, at::kLong});
}

}  // namespace koila::test
