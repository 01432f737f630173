// SPDX-License-Identifier: MIT
#include "ops/elementwise.hpp"

namespace koila::test {

TEST_CASE("frac") {
  const auto f = [](const auto& x) { return koila::frac(x); };
  const auto g = [](const at::Tensor& x) { return at::frac(x); };
  check_unary<struct frac>(f, g);
  refuses_dtype(f, at::kLong, "frac: int64[3]: not a floating-point dtype");
}

}  // namespace koila::test
