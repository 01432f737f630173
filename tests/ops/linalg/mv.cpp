// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("mv") {
  const auto f = [](const auto& a, const auto& v) { return mv(a, v); };
  const auto g = [](const at::Tensor& a, const at::Tensor& v) { return at::mv(a, v); };
  for (const auto n : batches) {
    check(f, g, per_sample(normal({n, 3})), whole(normal({3})));
    check(f, g, per_sample(normal({3, n}), 1), per_sample(normal({n})));
  }
  check(f, g, whole(normal({2, 0})), whole(normal({0})));
  check_typed(f, g, std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)},
              std::pair{parameter<3>{}, normal({3}).to(at::kFloat)});
  const at::Tensor whole_numbers = at::arange(6).view({2, 3}), ones = at::ones({3}, at::kLong);
  same(f(whole_numbers, ones), g(whole_numbers, ones));

  const input<any, any> a{"a"};
  const input<any> v{"v"};
  const at::Tensor s = at::rand({2, 3}), t = at::rand({4}), u = at::rand({3}, at::kDouble);
  refused([&] { run(mv(a, v), a = s, v = t); }, "mv: [2, 3] x [4]: inner dimensions differ");
  refused([&] { mv(s, s); }, "mv: [2, 3] x [2, 3]: no rule for these ranks");
  refused([&] { mv(s, u); }, "mv: [2, 3] x float64[3]: dtypes differ");
  STATIC_REQUIRE(!Accepts<struct mv, shape<batch, 3>, shape<4>>);
  STATIC_REQUIRE(!Accepts<struct mv, shape<3, batch>, shape<3>>);
}

}  // namespace koila::test
