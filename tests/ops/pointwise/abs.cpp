// SPDX-License-Identifier: MIT
#include "ops/elementwise.hpp"

namespace koila::test {

TEST_CASE("abs") {
  const auto f = [](const auto& x) { return koila::abs(x); };
  const auto g = [](const at::Tensor& x) { return at::abs(x); };
  check_unary<struct ops::abs>(f, g);
  check_integers(f, g, {at::kByte, at::kInt, at::kLong});
  refuses_dtype(f, at::kBool, "abs: bool[3]: no rule for booleans");
}

}  // namespace koila::test
