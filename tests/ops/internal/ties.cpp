// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("ties") {
  const auto f = [](const auto& x, const auto& y) { return ties(x, y); };
  const auto g = [](const at::Tensor& x, const at::Tensor& y) { return at::eq(x, y).to(x.scalar_type()); };
  const auto few = [](at::IntArrayRef sizes) { return normal(sizes).round(); };
  check(ask{}, f, g, broadcasting_pairs(few, few));
  const at::Tensor odd = at::tensor({NAN, INFINITY, -INFINITY, 0.0F, -0.0F});
  same(f(odd, odd), g(odd, odd));
  check_typed(f, g, std::pair{input<batch, 3>{}, few({5, 3}).to(at::kFloat)},
              std::pair{parameter<3>{}, few({3}).to(at::kFloat)});
  const at::Tensor a = at::rand({2, 3}), b = at::rand({2, 3}, at::kDouble), c = at::rand({2});
  refused([&] { ties(a, b); }, "ties: [2, 3] x float64[2, 3]: dtypes differ");
  refused([&] { ties(a, c); }, "ties: [2, 3] x [2]: not broadcastable");
}

}  // namespace koila::test
