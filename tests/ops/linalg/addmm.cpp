// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("addmm") {
  const auto f = [](const auto& i, const auto& a, const auto& b) { return addmm(i, a, b); };
  const auto g = [](const at::Tensor& i, const at::Tensor& a, const at::Tensor& b) { return at::addmm(i, a, b); };
  const auto scaled = [](const auto& i, const auto& a, const auto& b) {
    return addmm(i, a, b, beta = 0.5, alpha = -2);
  };
  const auto scaled_too = [](const at::Tensor& i, const at::Tensor& a, const at::Tensor& b) {
    return at::addmm(i, a, b, 0.5, -2);
  };
  for (const auto n : {0, 1, 2, 5}) {
    check(f, g, whole(normal({4})), per_sample(normal({n, 3})), whole(normal({3, 4})));
    check(scaled, scaled_too, per_sample(normal({n, 4})), per_sample(normal({n, 3})), whole(normal({3, 4})));
    check(f, g, per_sample(normal({2, n}), 1), whole(normal({2, 3})), per_sample(normal({3, n}), 1));
    check(scaled, scaled_too, whole(normal({2, 1})), per_sample(normal({2, n}), 1), per_sample(normal({n, 4})));
  }
  check(scaled, scaled_too, whole(normal({})), whole(normal({2, 0})), whole(normal({0, 4})));
  check_typed(f, g, std::pair{parameter<4>{}, normal({4}).to(at::kFloat)},
              std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)},
              std::pair{parameter<3, 4>{}, normal({3, 4}).to(at::kFloat)});

  const at::Tensor a = normal({2, 3}), b = normal({3, 4}), odd = at::full({4}, NAN, at::kDouble);
  same(addmm(odd, a, b, beta = 0), at::addmm(odd, a, b, 0));
  const at::Tensor i = at::arange(4), k = at::arange(6).view({2, 3}), l = at::arange(12).view({3, 4});
  same(addmm(i, k, l, beta = 3, alpha = -2), at::addmm(i, k, l, 3, -2));

  const input<float64, any, any> x{"x"};
  const at::Tensor wide = at::rand({3, 4}, at::kDouble), other = at::rand({4});
  refused([&] { run(addmm(x, a, b), x = wide); },
          "addmm: float64[3, 4] x float64[2, 3] x float64[3, 4]: not broadcastable");
  refused([&] { addmm(i, k, l, alpha = 0.5); }, "addmm: int64[4] x int64[2, 3] x int64[3, 4]: not of integers");
  refused([&] { addmm(other, a, b); }, "addmm: [4] x float64[2, 3] x float64[3, 4]: dtypes differ");
  refused([&] { addmm(odd, b, a); }, "addmm: float64[4] x float64[3, 4] x float64[2, 3]: inner dimensions differ");
  STATIC_REQUIRE(!Accepts<struct addmm, shape<5>, shape<batch, 3>, shape<3, 4>>);
  STATIC_REQUIRE(!Accepts<struct addmm, shape<4>, shape<batch, 3>, shape<3, 4>, decltype(dim = 1_c)>);
}

}  // namespace koila::test
