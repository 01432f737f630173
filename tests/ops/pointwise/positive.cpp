// SPDX-License-Identifier: MIT
#include "ops/elementwise.hpp"

namespace koila::test {

TEST_CASE("positive") {
  const auto f = [](const auto& x) { return koila::positive(x); };
  const auto g = [](const at::Tensor& x) { return at::positive(x); };
  check_unary<struct positive>(f, g);
  check_integers(f, g, {at::kByte, at::kInt, at::kLong});
  refuses_dtype(f, at::kBool, "positive: bool[3]: no rule for booleans");
}

}  // namespace koila::test
