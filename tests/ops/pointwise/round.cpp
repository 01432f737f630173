// SPDX-License-Identifier: MIT
#include "ops/elementwise.hpp"

namespace koila::test {

TEST_CASE("round") {
  const auto f = [](const auto& x) { return koila::round(x); };
  const auto g = [](const at::Tensor& x) { return at::round(x); };
  check_unary<struct ops::round>(f, g);
  check_integers(f, g, {at::kByte, at::kInt, at::kLong});
  refuses_dtype(f, at::kBool, "round: bool[3]: no rule for booleans");
}

}  // namespace koila::test
