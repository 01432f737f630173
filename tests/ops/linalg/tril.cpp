// SPDX-License-Identifier: MIT
#include "ops/check_triangular.hpp"

namespace koila::test {

TEST_CASE("tril") {
  const auto f = [](const auto&... x) { return tril(x...); };
  check_triangle(f, [](const at::Tensor& x, std::int64_t k) { return x.tril(k); });
  const at::Tensor t = at::rand({2});
  refused([&] { tril(t); }, "tril: [2]: no rule for these ranks");
}

}  // namespace koila::test
