// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("xlogx") {
  const auto f = [](const auto& x) { return xlogx(x); };
  const auto g = [](const at::Tensor& x) { return at::xlogy(x, x); };
  for (const auto& s : some_sizes(1)) check(f, g, per_sample(positive(s.sizes), s.batch));
  check_typed(f, g, std::pair{input<4, batch>{}, positive({4, 5}).to(at::kFloat)});
  const at::Tensor odd = at::tensor({NAN, INFINITY, -INFINITY, 0.0F, -0.0F, -1.0F, 1e-45F});
  same(f(odd), g(odd));
  const at::Tensor whole_numbers = at::ones({2, 3}, at::kLong);
  refused([&] { xlogx(whole_numbers); }, "xlogx: int64[2, 3]: not a floating-point dtype");
}

}  // namespace koila::test
