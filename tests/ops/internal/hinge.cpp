// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("hinge") {
  const auto f = [](const auto& x) { return hinge(x); };
  const auto g = [](const at::Tensor& x) { return at::clamp_min(x, 0); };
  for (const auto& s : some_sizes(1)) check(f, g, per_sample(normal(s.sizes), s.batch));
  check(f, g, per_sample(at::zeros({5, 2}, at::kDouble)));  // the slope at 0 is 1
  check(f, g, whole(normal({})));
  check_typed(f, g, std::pair{input<4, batch>{}, normal({4, 5}).to(at::kFloat)});
  const at::Tensor odd = at::tensor({NAN, INFINITY, -INFINITY, 0.0F, -0.0F, 1e-45F, -1e-45F});
  same(f(odd), g(odd));
  const at::Tensor whole_numbers = at::ones({2, 3}, at::kLong);
  refused([&] { hinge(whole_numbers); }, "hinge: int64[2, 3]: not a floating-point dtype");
}

}  // namespace koila::test
