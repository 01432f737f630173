// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("neg") {
  const auto f = [](const auto& x) { return neg(x); };
  const auto g = [](const at::Tensor& x) { return at::neg(x); };
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

  const input<batch> x{"x"};
  const at::Tensor t = at::rand({5});  // (samples)
  same(run(-x, x = t), -t);
  same(run(negative(x), x = t), -t);
  STATIC_REQUIRE(std::same_as<decltype(negative(x)), decltype(neg(x))>);
  const input<dtype::unknown, any> b{"b"};
  const at::Tensor yes = at::ones({2}, at::kBool);
  refused([&] { run(-b, b = yes); }, "neg: bool[2]: no rule for booleans");
}

}  // namespace koila::test
