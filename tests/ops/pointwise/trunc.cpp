// SPDX-License-Identifier: MIT
#include "ops/elementwise.hpp"

namespace koila::test {

TEST_CASE("trunc") {
  const auto f = [](const auto& x) { return koila::trunc(x); };
  const auto g = [](const at::Tensor& x) { return at::trunc(x); };
  check_unary<struct ops::trunc>(f, g);
  check_integers(f, g, {at::kByte, at::kInt, at::kLong});
  refuses_dtype(f, at::kBool, "trunc: bool[3]: no rule for booleans");
}

}  // namespace koila::test
