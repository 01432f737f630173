// SPDX-License-Identifier: MIT
#include "ops/elementwise.hpp"

namespace koila::test {

TEST_CASE("erfc") {
  const auto f = [](const auto& x) { return koila::erfc(x); };
  const auto g = [](const at::Tensor& x) { return at::erfc(x); };
  check_unary<struct ops::erfc>(f, g);
  check_integers(f, g, {at::kBool, at::kByte, at::kInt, at::kLong});
}

}  // namespace koila::test
