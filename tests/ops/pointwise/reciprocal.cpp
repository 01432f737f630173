// SPDX-License-Identifier: MIT
#include "ops/elementwise.hpp"

namespace koila::test {

TEST_CASE("reciprocal") {
  const auto f = [](const auto& x) { return koila::reciprocal(x); };
  const auto g = [](const at::Tensor& x) { return at::reciprocal(x); };
  check_unary<struct reciprocal>(f, g, positive);
  check_integers(f, g, {at::kBool, at::kByte, at::kInt, at::kLong});
}

}  // namespace koila::test
