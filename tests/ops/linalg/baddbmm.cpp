// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("baddbmm") {
  const auto f = [](const auto& i, const auto& a, const auto& b) { return baddbmm(i, a, b); };
  const auto g = [](const at::Tensor& i, const at::Tensor& a, const at::Tensor& b) { return at::baddbmm(i, a, b); };
  const auto scaled = [](const auto& i, const auto& a, const auto& b) {
    return baddbmm(i, a, b, beta = 0.5, alpha = -2);
  };
  const auto scaled_too = [](const at::Tensor& i, const at::Tensor& a, const at::Tensor& b) {
    return at::baddbmm(i, a, b, 0.5, -2);
  };
  for (const auto n : {0, 1, 2, 5}) {
    check(f, g, per_sample(normal({n, 2, 4})), per_sample(normal({n, 2, 3})), per_sample(normal({n, 3, 4})));
    check(scaled, scaled_too, whole(normal({2, 1})), per_sample(normal({n, 2, 3})), per_sample(normal({n, 3, 4})));
    check(scaled, scaled_too, per_sample(normal({n, 4})), per_sample(normal({2, n, 3}), 1), whole(normal({2, 3, 4})));
  }
  check_typed(f, g, std::pair{parameter<4>{}, normal({4}).to(at::kFloat)},
              std::pair{input<batch, 2, 3>{}, normal({5, 2, 3}).to(at::kFloat)},
              std::pair{input<batch, 3, 4>{}, normal({5, 3, 4}).to(at::kFloat)});

  const at::Tensor a = normal({2, 2, 3}), b = normal({2, 3, 4}), odd = at::full({4}, NAN, at::kDouble);
  same(baddbmm(odd, a, b, beta = 0), at::baddbmm(odd, a, b, 0));
  const at::Tensor wide = normal({3, 4}), other = at::rand({4});
  refused([&] { baddbmm(wide, a, b); },
          "baddbmm: float64[3, 4] x float64[2, 2, 3] x float64[2, 3, 4]: not broadcastable");
  refused([&] { baddbmm(other, a, b); }, "baddbmm: [4] x float64[2, 2, 3] x float64[2, 3, 4]: dtypes differ");
  STATIC_REQUIRE(!Accepts<struct baddbmm, shape<5>, shape<batch, 2, 3>, shape<batch, 3, 4>>);
  STATIC_REQUIRE(!Accepts<struct baddbmm, shape<4>, shape<batch, 2, 3>, shape<batch, 3, 4>, decltype(dim = 1_c)>);
}

}  // namespace koila::test
