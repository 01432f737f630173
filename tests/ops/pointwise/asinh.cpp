// SPDX-License-Identifier: MIT
#include "ops/elementwise.hpp"

namespace koila::test {

TEST_CASE("asinh") {
  const auto f = [](const auto& x) { return koila::asinh(x); };
  const auto g = [](const at::Tensor& x) { return at::asinh(x); };
  check_unary<struct ops::asinh>(f, g);
  check_integers(f, g, {at::kBool, at::kByte, at::kInt, at::kLong});
}

}  // namespace koila::test
