// SPDX-License-Identifier: MIT
#include "ops/elementwise.hpp"

namespace koila::test {

TEST_CASE("cos") {
  const auto f = [](const auto& x) { return koila::cos(x); };
  const auto g = [](const at::Tensor& x) { return at::cos(x); };
  check_unary<struct ops::cos>(f, g);
  check_integers(f, g, {at::kBool, at::kByte, at::kInt, at::kLong});
}

}  // namespace koila::test
