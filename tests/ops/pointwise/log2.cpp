// SPDX-License-Identifier: MIT
#include "ops/elementwise.hpp"

namespace koila::test {

TEST_CASE("log2") {
  const auto f = [](const auto& x) { return koila::log2(x); };
  const auto g = [](const at::Tensor& x) { return at::log2(x); };
  check_unary<struct ops::log2>(f, g, positive);
  check_integers(f, g, {at::kBool, at::kByte, at::kInt, at::kLong});
}

}  // namespace koila::test
