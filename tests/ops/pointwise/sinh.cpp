// SPDX-License-Identifier: MIT
#include "ops/elementwise.hpp"

namespace koila::test {

TEST_CASE("sinh") {
  const auto f = [](const auto& x) { return koila::sinh(x); };
  const auto g = [](const at::Tensor& x) { return at::sinh(x); };
  check_unary<struct ops::sinh>(f, g);
  check_integers(f, g, {at::kBool, at::kByte, at::kInt, at::kLong});
}

}  // namespace koila::test
