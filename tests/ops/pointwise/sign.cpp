// SPDX-License-Identifier: MIT
#include "ops/elementwise.hpp"

namespace koila::test {

TEST_CASE("sign") {
  const auto f = [](const auto& x) { return koila::sign(x); };
  const auto g = [](const at::Tensor& x) { return at::sign(x); };
  check_unary<struct sign>(f, g);
  check_integers(f, g, {at::kBool, at::kByte, at::kInt, at::kLong});
}

}  // namespace koila::test
