// SPDX-License-Identifier: MIT
#include "ops/elementwise.hpp"

namespace koila::test {

TEST_CASE("bitwise_not") {
  const auto f = [](const auto& x) { return koila::bitwise_not(x); };
  const auto g = [](const at::Tensor& x) { return at::bitwise_not(x); };
  check_integers(f, g, {at::kBool, at::kByte, at::kInt, at::kLong});
  refuses_dtype(f, at::kFloat, "bitwise_not: [3]: not of integers");
}

}  // namespace koila::test
