// SPDX-License-Identifier: MIT
#include "ops/elementwise.hpp"

namespace koila::test {

TEST_CASE("tan") {
  const auto f = [](const auto& x) { return koila::tan(x); };
  const auto g = [](const at::Tensor& x) { return at::tan(x); };
  check_unary<struct ops::tan>(f, g, within_one);
  check_integers(f, g, {at::kBool, at::kByte, at::kInt, at::kLong});
}

}  // namespace koila::test
