// SPDX-License-Identifier: MIT
#include "ops/elementwise.hpp"

namespace koila::test {

TEST_CASE("sqrt") {
  const auto f = [](const auto& x) { return koila::sqrt(x); };
  const auto g = [](const at::Tensor& x) { return at::sqrt(x); };
  check_unary<struct ops::sqrt>(f, g, positive);
  check_integers(f, g, {at::kBool, at::kByte, at::kInt, at::kLong});
}

}  // namespace koila::test
