// SPDX-License-Identifier: MIT
#include "ops/elementwise.hpp"

namespace koila::test {

TEST_CASE("erf") {
  const auto f = [](const auto& x) { return koila::erf(x); };
  const auto g = [](const at::Tensor& x) { return at::erf(x); };
  check_unary<struct ops::erf>(f, g);
  check_integers(f, g, {at::kBool, at::kByte, at::kInt, at::kLong});
}

}  // namespace koila::test
