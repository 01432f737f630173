// SPDX-License-Identifier: MIT
#include "ops/check_triangular.hpp"

namespace koila::test {

TEST_CASE("triu") {
  const auto f = [](const auto&... x) { return triu(x...); };
  check_triangle(f, [](const at::Tensor& x, std::int64_t k) { return x.triu(k); });
  const at::Tensor t = at::rand({2});
  refused([&] { triu(t); }, "triu: [2]: no rule for these ranks");
}

}  // namespace koila::test
