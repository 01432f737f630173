// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("kron") {
  const auto f = [](const auto& a, const auto& b) { return kron(a, b); };
  const auto g = [](const at::Tensor& a, const at::Tensor& b) {
    return at::kron(a.contiguous(), b.contiguous());  // LibTorch refuses some other layouts
  };
  SECTION("equal ranks, samples of either or both") {
    for (const auto n : batches) {
      check(f, g, per_sample(normal({n, 3})), whole(normal({2, 4})));
      check(f, g, whole(normal({2, 3})), per_sample(normal({n, 2})));
      check(f, g, per_sample(normal({2, n}), 1), whole(normal({1, 3})));
      check(f, g, per_sample(normal({n})), per_sample(normal({n})));
    }
    check(f, g, per_sample(normal({2, 5, 3}), 1), per_sample(normal({2, 5, 2}), 1));
    check(f, g, per_sample(normal({5, 2})), per_sample(normal({3, 5}), 1));
  }
  SECTION("other ranks, extents of 0 and 1") {
    check(f, g, per_sample(normal({5, 3})), whole(normal({2})));
    check(f, g, whole(normal({2})), per_sample(normal({5, 3})));
    check(f, g, whole(normal({})), per_sample(normal({5})));
    check(f, g, whole(normal({2, 1, 3})), whole(normal({})));
    check(f, g, whole(normal({})), whole(normal({})));
    check(f, g, whole(normal({0, 2})), whole(normal({2, 3})));
    check(f, g, whole(normal({1, 2})), per_sample(normal({5, 1})));
    check(f, g, whole(normal({2, 1, 1, 2, 1, 1, 1, 1})), whole(normal({1, 3, 1, 1, 1, 2, 1, 1})));
  }
  SECTION("shapes that the compiler knows, other dtypes, special values") {
    check_typed(f, g, std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)},
                std::pair{parameter<1, 2>{}, normal({1, 2}).to(at::kFloat)});
    check_typed(f, g, std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)},
                std::pair{parameter<2, 2>{}, normal({2, 2}).to(at::kFloat)});
    STATIC_REQUIRE(std::is_same_v<shape_t<decltype(f(input<batch, 3>{}, input<4>{}))>, shape_t<input<batch, 12>>>);
    STATIC_REQUIRE(std::is_same_v<shape_t<decltype(f(input<batch, 3>{}, input<2, 4>{}))>, shape_t<input<any, 12>>>);
    check_promotion(f, g, {at::kBool, at::kByte, at::kInt, at::kLong, at::kFloat, at::kDouble});
    const at::Tensor half = at::arange(6).view({2, 3}).to(at::kHalf), wide = at::tensor(2.5, at::kDouble);
    for (const at::Tensor& t : {half, half[0], half[0][1], wide}) {
      same(kron(half, t), at::kron(half, t));
      same(kron(t, half), at::kron(t, half));
      same(kron(half[1][1], t), at::kron(half[1][1], t));
    }
    const at::Tensor a = at::tensor({NAN, 0.0F, -INFINITY, 1.0F}), b = at::tensor({1.0F, INFINITY});
    same(kron(a, b), at::kron(a, b));
  }
  SECTION("refused") {
    STATIC_REQUIRE(!Accepts<struct kron, shape<2, 2, 2, 2, 2>, shape<2, 2, 2, 2, 2>>);
    const input<any, any, any, any, any> x{"x"};
    const at::Tensor t = at::rand({2, 2, 2, 2, 2});
    refused([&] { run(kron(x, x), x = t); }, "kron: [2, 2, 2, 2, 2] x [2, 2, 2, 2, 2]: more than 8 dimensions");
    refused([&] { kron(t, t); }, "kron: [2, 2, 2, 2, 2] x [2, 2, 2, 2, 2]: more than 8 dimensions");
  }
}

}  // namespace koila::test
