// SPDX-License-Identifier: MIT
#include "ops/elementwise.hpp"

namespace koila::test {

TEST_CASE("floor") {
  const auto f = [](const auto& x) { return koila::floor(x); };
  const auto g = [](const at::Tensor& x) { return at::floor(x); };
  check_unary<struct ops::floor>(f, g);
  check_integers(f, g, {at::kByte, at::kInt, at::kLong});
  refuses_dtype(f, at::kBool, "floor: bool[3]: no rule for booleans");
}

}  // namespace koila::test
