// SPDX-License-Identifier: MIT
#include "ops/elementwise.hpp"

namespace koila::test {

TEST_CASE("exp2") {
  const auto f = [](const auto& x) { return koila::exp2(x); };
  const auto g = [](const at::Tensor& x) { return at::exp2(x); };
  check_unary<struct ops::exp2>(f, g);
  check_integers(f, g, {at::kBool, at::kByte, at::kInt, at::kLong});
}

}  // namespace koila::test
