// SPDX-License-Identifier: MIT
#include "ops/elementwise.hpp"

namespace koila::test {

TEST_CASE("atan") {
  const auto f = [](const auto& x) { return koila::atan(x); };
  const auto g = [](const at::Tensor& x) { return at::atan(x); };
  check_unary<struct ops::atan>(f, g);
  check_integers(f, g, {at::kBool, at::kByte, at::kInt, at::kLong});
}

}  // namespace koila::test
