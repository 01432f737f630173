// SPDX-License-Identifier: MIT
#include "ops/elementwise.hpp"

namespace koila::test {

TEST_CASE("atanh") {
  const auto f = [](const auto& x) { return koila::atanh(x); };
  const auto g = [](const at::Tensor& x) { return at::atanh(x); };
  check_unary<struct ops::atanh>(f, g, within_one);
  check_integers(f, g, {at::kBool, at::kByte, at::kInt, at::kLong});
}

}  // namespace koila::test
