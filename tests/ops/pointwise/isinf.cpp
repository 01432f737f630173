// SPDX-License-Identifier: MIT
#include "ops/elementwise.hpp"

namespace koila::test {

TEST_CASE("isinf") {
  const auto f = [](const auto& x) { return koila::isinf(x); };
  const auto g = [](const at::Tensor& x) { return at::isinf(x); };
  check_unary<struct ops::isinf>(f, g);
  check_integers(f, g, {at::kBool, at::kByte, at::kInt, at::kLong});
  const input<batch, 3> x{"x"};
  STATIC_REQUIRE(shape_t<decltype(f(x))>::value == shape<boolean, batch, 3>::value);
}

}  // namespace koila::test
