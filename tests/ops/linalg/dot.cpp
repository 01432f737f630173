// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("dot") {
  const auto f = [](const auto& a, const auto& b) { return dot(a, b); };
  const auto g = [](const at::Tensor& a, const at::Tensor& b) { return at::dot(a, b); };
  for (const auto n : batches) { check(f, g, per_sample(normal({n})), per_sample(normal({n}))); }
  check(f, g, whole(normal({7})), whole(normal({7})));
  check([](const auto& a) { return dot(a, a); }, [](const at::Tensor& a) { return at::dot(a, a); },
        per_sample(normal({5})));
  check_typed(f, g, std::pair{input<batch>{}, normal({5}).to(at::kFloat)},
              std::pair{input<batch>{}, normal({5}).to(at::kFloat)});

  const input<any> a{"a"}, b{"b"};
  const at::Tensor s = at::rand({3}), t = at::rand({4}), u = at::ones({3}, at::kBool), m = at::rand({3, 1});
  refused([&] { run(dot(a, b), a = s, b = t); }, "dot: [3] x [4]: inner dimensions differ");
  refused([&] { dot(s, m); }, "dot: [3] x [3, 1]: no rule for these ranks");
  refused([&] { dot(s, u); }, "dot: [3] x bool[3]: dtypes differ");
  refused([&] { dot(u, u); }, "dot: bool[3] x bool[3]: no rule for booleans");
  STATIC_REQUIRE(!Accepts<struct dot, shape<batch>, shape<3>>);
}

}  // namespace koila::test
