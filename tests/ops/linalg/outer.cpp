// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("outer") {
  const auto f = [](const auto& a, const auto& b) { return outer(a, b); };
  const auto g = [](const at::Tensor& a, const at::Tensor& b) { return at::outer(a, b); };
  for (const auto n : batches) {
    check(f, g, per_sample(normal({n})), whole(normal({3})));
    check(f, g, whole(normal({3})), per_sample(normal({n})));
    check(f, g, per_sample(normal({n})), per_sample(normal({n})));
  }
  check(f, g, whole(normal({2})), whole(normal({7})));
  check_typed(f, g, std::pair{input<batch>{}, normal({5}).to(at::kFloat)},
              std::pair{parameter<3>{}, normal({3}).to(at::kFloat)});
  for (const auto s : {at::kBool, at::kInt, at::kFloat, at::kDouble})
    for (const auto t : {at::kLong, at::kFloat, at::kBFloat16}) {
      const bound a = leaf((positive({5}) * 2).to(s), 0), b = leaf((positive({3}) * 2).to(t));
      compare({}, f(a.leaf, b.leaf), f(a.value, b.value), [&](const auto& x) { return g(x[0], x[1]); }, {a, b},
              {.gradients = t != at::kBFloat16, .twice = false});
    }
  const at::Tensor odd = at::tensor({NAN, INFINITY, -INFINITY, 0.0F, 1e30F, -1e30F});
  same(f(odd, odd), g(odd, odd));

  const input<any> a{"a"};
  const at::Tensor s = at::rand({3}), m = at::rand({3, 1});
  refused([&] { outer(s, m); }, "outer: [3] x [3, 1]: no rule for these ranks");
  STATIC_REQUIRE(!Accepts<struct outer, shape<batch>, shape<3, 2>>);
}

}  // namespace koila::test
