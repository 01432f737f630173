// SPDX-License-Identifier: MIT
#include "ops/check_triangular.hpp"

namespace koila::test {

TEST_CASE("triu") {
  const auto f = [](const auto&... x) { return triu(x...); };
  check_triangle(f, [](const at::Tensor& x, std::int64_t k) { return x.triu(k); });
  STATIC_REQUIRE(!Accepts<struct triu, shape<batch, 3>, decltype(kernel_size = 1_c)>);
  const at::Tensor t = at::rand({2});
  refused([&] { triu(t); }, "triu: [2]: no rule for these ranks");
}

}  // namespace koila::test
