// SPDX-License-Identifier: MIT
#include "ops/elementwise.hpp"

namespace koila::test {

TEST_CASE("expm1") {
  const auto f = [](const auto& x) { return koila::expm1(x); };
  const auto g = [](const at::Tensor& x) { return at::expm1(x); };
  check_unary<struct ops::expm1>(f, g);
  check_integers(f, g, {at::kBool, at::kByte, at::kInt, at::kLong});
}

}  // namespace koila::test
