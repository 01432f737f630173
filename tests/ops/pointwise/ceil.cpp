// SPDX-License-Identifier: MIT
#include "ops/elementwise.hpp"

namespace koila::test {

TEST_CASE("ceil") {
  const auto f = [](const auto& x) { return koila::ceil(x); };
  const auto g = [](const at::Tensor& x) { return at::ceil(x); };
  check_unary<struct ops::ceil>(f, g);
  check_integers(f, g, {at::kByte, at::kInt, at::kLong});
  refuses_dtype(f, at::kBool, "ceil: bool[3]: no rule for booleans");
}

}  // namespace koila::test
