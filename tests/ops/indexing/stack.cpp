// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("stack") {
  const auto f = [](int d) { return [=](const auto&... x) { return stack(x..., dim = d); }; };
  const auto g = [](int d) { return [=](const auto&... x) { return at::stack({x...}, d); }; };
  for (const auto n : batches) {
    for (const int d : {0, 1, -1}) check(f(d), g(d), per_sample(normal({n, 2})), per_sample(normal({n, 2})));
    check(f(0), g(0), per_sample(normal({2, n}), 1), per_sample(normal({2, n}), 1), per_sample(normal({2, n}), 1));
  }
  check(f(0), g(0), whole(normal({})), whole(normal({})));
  check(f(1), g(1), whole(normal({3})));
  const auto want = [](int n) {
    return [=](const at::Tensor& x) {
      std::vector<at::Tensor> all;
      for (int i = 0; i < n; ++i) all.push_back(x * i);
      return at::stack(all, 1);
    };
  };
  check([](const auto& x) { return stack(std::tuple(mul(x, 0), mul(x, 1)), dim = 1); }, want(2),
        per_sample(normal({5, 2})));
  check(
      [](const auto& x) {
        return stack(std::array{mul(x, 0), mul(x, 1), mul(x, 2), mul(x, 3), mul(x, 4), mul(x, 5), mul(x, 6)}, dim = 1);
      },
      want(7), per_sample(normal({5, 2})));
  for (const int n : {1, 8})
    check(
        ask{.twice = false},
        [=](const auto& x) {
          using value = std::conditional_t<PlainTensor<std::remove_cvref_t<decltype(x)>>, at::Tensor, anything>;
          std::vector<value> all;
          for (int i = 0; i < n; ++i) all.push_back(mul(x, i));
          return stack(all, dim = 1_c);
        },
        want(n), per_sample(normal({3, 2})));
  check_typed([](const auto& a, const auto& b) { return stack(a, b, dim = 1_c); }, g(1),
              std::pair{input<batch, 2>{}, normal({5, 2}).to(at::kFloat)},
              std::pair{input<batch, 2>{}, normal({5, 2}).to(at::kFloat)});
  STATIC_REQUIRE(
      std::is_same_v<shape_t<decltype(stack(input<batch>{}, input<batch>{}, -1_c))>, shape_t<input<batch, 2>>>);
  const at::Tensor t = at::arange(3), u = at::rand({3});
  same(stack(t, t), at::stack({t, t}));
  same(stack(t, u), at::stack({t.to(at::kFloat), u}));

  STATIC_REQUIRE(!Accepts<struct stack, shape<batch>, shape<7>, decltype(dim = 0_c)>);
  const at::Tensor four = at::rand({4});
  refused([&] { stack(u, four); }, "stack: [3] x [4], dim 0: shapes differ");
  refused([&] { stack(u, u, dim = 2); }, "stack: [3] x [3], dim 2: dimension out of range");
}

}  // namespace koila::test
