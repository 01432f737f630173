// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("tensordot") {
  const auto f = [](auto... t) { return [=](const auto& a, const auto& b) { return tensordot(a, b, t...); }; };
  const auto g = [](std::vector<std::int64_t> i, std::vector<std::int64_t> j) {
    return [=](const at::Tensor& a, const at::Tensor& b) { return at::tensordot(a, b, i, j); };
  };
  SECTION("a number of dims") {
    for (const auto n : batches) {
      check(f(1), g({1}, {0}), per_sample(normal({n, 3})), whole(normal({3, 4})));
      check(f(0), g({}, {}), per_sample(normal({n, 3})), whole(normal({2})));
      check(f(0), g({}, {}), whole(normal({3})), per_sample(normal({2, n}), 1));
      check(f(2), g({1, 2}, {0, 1}), per_sample(normal({n, 3, 2})), whole(normal({3, 2, 4})));
      check(f(2), g({0, 1}, {0, 1}), per_sample(normal({n, 3})), per_sample(normal({n, 3})));
      check(f(1), g({1}, {0}), per_sample(normal({2, n}), 1), per_sample(normal({n, 3})));
    }
    check(f(0), g({}, {}), whole(normal({})), per_sample(normal({5, 2})));
    check(f(0), g({}, {}), whole(normal({})), whole(normal({})));
    check(f(3), g({0, 1, 2}, {0, 1, 2}), whole(normal({2, 3, 4})), whole(normal({2, 3, 4})));
  }
  SECTION("lists of dims") {
    for (const auto n : {0, 1, 5}) {
      check(f(list_of(1), list_of(1)), g({1}, {1}), per_sample(normal({n, 3})), whole(normal({4, 3})));
      check(f(list_of(0), list_of(0)), g({0}, {0}), per_sample(normal({n, 3})), per_sample(normal({n, 2})));
      check(f(list_of(2, 0), list_of(0, 1)), g({2, 0}, {0, 1}), per_sample(normal({2, n, 3}), 1),
            whole(normal({3, 2, 4})));
      check(f(list_of(-1, 1), list_of(1, -1)), g({-1, 1}, {1, -1}), per_sample(normal({n, 2, 3})),
            whole(normal({4, 3, 2})));
      check(f(list_of(0, 1), list_of(1, 0)), g({0, 1}, {1, 0}), per_sample(normal({n, 3})),
            per_sample(normal({3, n}), 1));
      check(f(list_of(2), list_of(1)), g({2}, {1}), whole(normal({4, 2, 3})), per_sample(normal({2, 3, n}), 2));
    }
    check(f(1, 0), g({1}, {0}), whole(normal({2, 3})), whole(normal({3, 4})));
    check(f(1, list_of(0)), g({1}, {0}), whole(normal({2, 3})), whole(normal({3, 4})));
    check(f(list_of(), list_of()), g({}, {}), whole(normal({2})), whole(normal({3})));
    check(f(dims_other = list_of(0), dims_self = list_of(1)), g({1}, {0}), whole(normal({2, 3})),
          whole(normal({3, 4})));
    check(f(dims_self = list_of(), dims_other = list_of()), g({}, {}), whole(normal({2})), whole(normal({3})));
    check(f(list_of(1), list_of(0)), g({1}, {0}), whole(normal({2, 0})), whole(normal({0, 3})));
  }
  SECTION("extents of 1") {
    for (const auto n : {0, 1, 5}) {
      check(f(1), g({1}, {0}), per_sample(normal({n, 3})), whole(normal({1, 4})));
      check(f(1), g({1}, {0}), per_sample(normal({n, 1})), whole(normal({3, 4})));
      check(f(2), g({1, 2}, {0, 1}), per_sample(normal({n, 1, 2})), whole(normal({3, 1, 4})));
    }
    check(f(2), g({0, 1}, {0, 1}), whole(normal({1, 1})), whole(normal({2, 3})));
    check(f(1), g({1}, {0}), whole(normal({2, 0})), whole(normal({1, 3})));
    check(f(1), g({1}, {0}), whole(normal({2, 1})), whole(normal({1, 3})));
  }
  SECTION("shapes that the compiler knows") {
    check_typed(f(1_c), g({2}, {0}), std::pair{input<batch, 2, 3>{}, normal({5, 2, 3}).to(at::kFloat)},
                std::pair{parameter<3, 4>{}, normal({3, 4}).to(at::kFloat)});
    check_typed(f(list_of(0_c), list_of(0_c)), g({0}, {0}), std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)},
                std::pair{input<batch, 2>{}, normal({5, 2}).to(at::kFloat)});
    const input<batch, 2, 3> a;
    const parameter<4, 3> b;
    STATIC_REQUIRE(
        std::is_same_v<shape_t<decltype(tensordot(a, b, list_of(-1_c), list_of(1_c)))>, shape_t<input<batch, 2, 4>>>);
    STATIC_REQUIRE(std::is_same_v<shape_t<decltype(tensordot(a, b, 0_c))>, shape_t<input<batch, 2, 3, 4, 3>>>);
  }
  SECTION("other dtypes, special values") {
    for (const auto type : {at::kByte, at::kInt, at::kLong, at::kHalf, at::kBFloat16}) {
      const at::Tensor a = at::arange(6).view({2, 3}).to(type), b = at::arange(12).view({3, 4}).to(type),
                       wide = at::arange(200, 206).view({2, 3}).to(type), one = at::full({1, 2}, 3, type);
      same(tensordot(a, b, 1), at::tensordot(a, b, {1}, {0}));
      same(tensordot(a, a, 0), at::tensordot(a, a, {}, {}));
      same(tensordot(wide, one, 1), at::tensordot(wide, one, {1}, {0}));  // a sum of uint8 overflows
      same(tensordot(one, wide, list_of(0), list_of(0)), at::tensordot(one, wide, {0}, {0}));
      same(tensordot(a, a, 2), at::tensordot(a, a, {0, 1}, {0, 1}));
    }
    const at::Tensor a = at::tensor({NAN, 1.0F, -INFINITY, 0.0F}).view({2, 2}),
                     b = at::tensor({2.0F, INFINITY, 0.0F, 1.0F}).view({2, 2});
    for (const int n : {0, 1, 2}) {
      const std::vector<std::int64_t> i[] = {{}, {1}, {0, 1}}, j[] = {{}, {0}, {0, 1}};
      same(tensordot(a, b, n), at::tensordot(a, b, i[n], j[n]));
    }
  }
  SECTION("refused") {
    STATIC_REQUIRE(!Accepts<struct tensordot, shape<batch, 3>, shape<3, 4>>);
    STATIC_REQUIRE(!Accepts<struct tensordot, shape<batch, 3>, shape<3, 4>, decltype(list_of(0_c))>);
    STATIC_REQUIRE(!Accepts<struct tensordot, shape<2, 3>, shape<3, 2>, decltype(list_of(0, 1)), decltype(list_of(0))>);
    STATIC_REQUIRE(!Accepts<struct tensordot, shape<batch, 3>, shape<4, 3>, decltype(1_c)>);
    STATIC_REQUIRE(
        !Accepts<struct tensordot, shape<batch, 3>, shape<5, 3>, decltype(list_of(0_c)), decltype(list_of(0_c))>);
    const input<any, any> x{"x"};
    const at::Tensor a = at::rand({2, 3}), b = at::rand({4, 5}), truth = at::ones({3}, at::kBool),
                     five = at::rand({1, 1, 1, 1, 1}), wide = a.to(at::kDouble);
    refused([&] { run(tensordot(x, x, 1), x = a); }, "tensordot: [2, 3] x [2, 3], dims 1: inner dimensions differ");
    refused([&] { tensordot(a, b, 1); }, "tensordot: [2, 3] x [4, 5], dims 1: inner dimensions differ");
    refused([&] { tensordot(a, a, 3); }, "tensordot: [2, 3] x [2, 3], dims 3: dimension out of range");
    refused([&] { tensordot(a, a, -1); }, "tensordot: [2, 3] x [2, 3], dims -1: dimension out of range");
    refused([&] { tensordot(a, a, list_of(0), list_of(2)); },
            "tensordot: [2, 3] x [2, 3], dims 0 and 2: dimension out of range");
    refused([&] { tensordot(a, a, list_of(0, -2), list_of(0, 1)); },
            "tensordot: [2, 3] x [2, 3], dims (0, -2) and (0, 1): a dim is given twice");
    refused([&] { tensordot(a, wide, 0); }, "tensordot: [2, 3] x float64[2, 3], dims 0: dtypes differ");
    refused([&] { tensordot(truth, truth, 1); }, "tensordot: bool[3] x bool[3], dims 1: no rule for booleans");
    refused([&] { tensordot(five, five, 0); },
            "tensordot: [1, 1, 1, 1, 1] x [1, 1, 1, 1, 1], dims 0: more than 8 dimensions");
  }
}

}  // namespace koila::test
