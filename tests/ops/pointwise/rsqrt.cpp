// SPDX-License-Identifier: MIT
#include "ops/elementwise.hpp"

namespace koila::test {

TEST_CASE("rsqrt") {
  const auto f = [](const auto& x) { return koila::rsqrt(x); };
  const auto g = [](const at::Tensor& x) { return at::rsqrt(x); };
  check_unary<struct rsqrt>(f, g, positive);
  check_integers(f, g, {at::kBool, at::kByte, at::kInt, at::kLong});
}

}  // namespace koila::test
