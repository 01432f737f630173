// SPDX-License-Identifier: MIT
#include "ops/elementwise.hpp"

namespace koila::test {

TEST_CASE("log10") {
  const auto f = [](const auto& x) { return koila::log10(x); };
  const auto g = [](const at::Tensor& x) { return at::log10(x); };
  check_unary<struct ops::log10>(f, g, positive);
  check_integers(f, g, {at::kBool, at::kByte, at::kInt, at::kLong});
}

}  // namespace koila::test
