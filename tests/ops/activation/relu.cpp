// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("relu") {
  const auto f = [](const auto& x) { return relu(x); };
  const auto g = [](const at::Tensor& x) { return at::relu(x); };
  for (const auto& s : some_sizes(1)) check(f, g, per_sample(normal(s.sizes), s.batch));
  check(f, g, whole(normal({3, 4})));
  check(f, g, whole(normal({})));
  check_typed(f, g, std::pair{input<4, batch>{}, normal({4, 5}).to(at::kFloat)});
  check_typed(f, g, std::pair{parameter<float64, 3>{}, normal({3})});

  const at::Tensor odd = at::tensor({NAN, INFINITY, -INFINITY, 0.0F, -0.0F, 1e30F, -1e30F});
  same(f(odd), g(odd));

  for (const auto type : {at::kInt, at::kLong}) {
    const bound x = leaf(at::arange(12).view({4, 3}).remainder(5).to(type), 0);  // (samples, 3)
    compare({}, f(x.leaf), f(x.value), [&](const auto& t) { return g(t[0]); }, {x}, {});
  }
  STATIC_REQUIRE(!Accepts<struct relu, shape<batch, 3>, decltype(kernel_size = 1_c)>);
}

}  // namespace koila::test
