// SPDX-License-Identifier: MIT
#include "ops/elementwise.hpp"

namespace koila::test {

TEST_CASE("asin") {
  const auto f = [](const auto& x) { return koila::asin(x); };
  const auto g = [](const at::Tensor& x) { return at::asin(x); };
  check_unary<struct ops::asin>(f, g, within_one);
  check_integers(f, g, {at::kBool, at::kByte, at::kInt, at::kLong});
}

}  // namespace koila::test
