// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("bilinear") {
  const auto f = [](const auto& x, const auto& y, const auto& w) { return bilinear(x, y, w); };
  const auto g = [](const at::Tensor& x, const at::Tensor& y, const at::Tensor& w) { return at::bilinear(x, y, w); };
  const auto f4 = [](const auto& x, const auto& y, const auto& w, const auto& b) { return bilinear(x, y, w, b); };
  const auto g4 = [](const at::Tensor& x, const at::Tensor& y, const at::Tensor& w, const at::Tensor& b) {
    return at::bilinear(x, y, w, b);
  };
  for (const auto n : {0, 1, 5}) {
    check(f, g, per_sample(normal({n, 3})), per_sample(normal({n, 2})), whole(normal({4, 3, 2})));
    check(f4, g4, per_sample(normal({n, 3})), per_sample(normal({n, 2})), whole(normal({4, 3, 2})), whole(normal({4})));
    check(f4, g4, per_sample(normal({2, n, 3}), 1), per_sample(normal({2, n, 2}), 1), whole(normal({1, 3, 2})),
          whole(normal({1})));
  }
  check(f, g, whole(normal({3})), whole(normal({2})), whole(normal({4, 3, 2})));
  check_typed(f, g, std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)},
              std::pair{input<batch, 2>{}, normal({5, 2}).to(at::kFloat)},
              std::pair{parameter<4, 3, 2>{}, normal({4, 3, 2}).to(at::kFloat)});

  const at::Tensor x = at::rand({5, 3}), y = at::rand({5, 2}), w = at::rand({4, 3, 2}), b = at::rand({3});
  refused([&] { bilinear(y, x, w); }, "bilinear: [5, 2] x [5, 3] x [4, 3, 2]: in_features differ");
  refused([&] { bilinear(x, y, w, b); }, "bilinear: [5, 3] x [5, 2] x [4, 3, 2] x [3]: the bias is not (out_features)");
  STATIC_REQUIRE(!Accepts<struct bilinear, shape<batch, 3>, shape<5, 2>, shape<4, 3, 2>>);
  STATIC_REQUIRE(!Accepts<struct bilinear, shape<batch, 3>, shape<batch, 2>, shape<float64, 4, 3, 2>>);
}

}  // namespace koila::test
