// SPDX-License-Identifier: MIT
#include "ops/elementwise.hpp"

namespace koila::test {

TEST_CASE("square") {
  const auto f = [](const auto& x) { return koila::square(x); };
  const auto g = [](const at::Tensor& x) { return at::square(x); };
  check_unary<struct square>(f, g);
  check_integers(f, g, {at::kBool, at::kByte, at::kInt, at::kLong});
}

}  // namespace koila::test
