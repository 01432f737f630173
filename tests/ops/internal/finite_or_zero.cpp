// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("finite_or_zero") {
  const auto f = [](const auto& x) { return finite_or_zero(x); };
  const auto g = [](const at::Tensor& x) {
    const double most =
        x.scalar_type() == at::kDouble ? std::numeric_limits<double>::max() : std::numeric_limits<float>::max();
    return x.detach().masked_fill(x.detach().eq(INFINITY), most).masked_fill(x.detach().eq(-INFINITY), 0);
  };
  for (const auto& s : some_sizes(1)) check(ask{.quotients = false}, f, g, per_sample(normal(s.sizes), s.batch));
  // Derivatives treat the result as a constant.
  check(
      ask{.quotients = false}, [](const auto& x) { return finite_or_zero(x) * x; },
      [](const at::Tensor& x) { return x.detach() * x; }, per_sample(normal({5, 3})));
  const at::Tensor odd = at::tensor({NAN, INFINITY, -INFINITY, 0.0F, -0.0F, 1e30F, -1e30F});
  same(f(odd), g(odd));
  STATIC_REQUIRE(!Accepts<struct finite_or_zero, shape<batch, 3>, decltype(kernel_size = 1_c)>);
}

}  // namespace koila::test
