// SPDX-License-Identifier: MIT
#include "ops/elementwise.hpp"

namespace koila::test {

TEST_CASE("acos") {
  const auto f = [](const auto& x) { return koila::acos(x); };
  const auto g = [](const at::Tensor& x) { return at::acos(x); };
  check_unary<struct ops::acos>(f, g, within_one);
  check_integers(f, g, {at::kBool, at::kByte, at::kInt, at::kLong});
}

}  // namespace koila::test
