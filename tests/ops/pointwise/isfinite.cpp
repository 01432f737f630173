// SPDX-License-Identifier: MIT
#include "ops/elementwise.hpp"

namespace koila::test {

TEST_CASE("isfinite") {
  const auto f = [](const auto& x) { return koila::isfinite(x); };
  const auto g = [](const at::Tensor& x) { return at::isfinite(x); };
  check_unary<struct ops::isfinite>(f, g);
  check_integers(f, g, {at::kBool, at::kByte, at::kInt, at::kLong});
  const input<batch, 3> x{"x"};
  STATIC_REQUIRE(shape_t<decltype(f(x))>::value == shape<boolean, batch, 3>::value);
}

}  // namespace koila::test
