// SPDX-License-Identifier: MIT
#include "ops/elementwise.hpp"

namespace koila::test {

TEST_CASE("log1p") {
  const auto f = [](const auto& x) { return koila::log1p(x); };
  const auto g = [](const at::Tensor& x) { return at::log1p(x); };
  check_unary<struct ops::log1p>(f, g, positive);
  check_integers(f, g, {at::kBool, at::kByte, at::kInt, at::kLong});
}

}  // namespace koila::test
