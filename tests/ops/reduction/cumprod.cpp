// SPDX-License-Identifier: MIT
#include "ops/check_lines.hpp"

namespace koila::test {

TEST_CASE("cumprod") {
  const auto f = [](const auto&... x) { return cumprod(x...); };
  check_cumulative(f, [](const at::Tensor& x, auto... chosen) { return at::cumprod(x, chosen...); });

  const at::Tensor t = at::rand({2, 3});
  refused([&] { cumprod(t, dim = 2); }, "cumprod: [2, 3], dim 2: dimension out of range");
  STATIC_REQUIRE(!Accepts<struct cumprod, shape<batch, 3>>);
  STATIC_REQUIRE(!Accepts<struct cumprod, shape<batch, 3>, decltype(dim = 2_c)>);
}

}  // namespace koila::test
