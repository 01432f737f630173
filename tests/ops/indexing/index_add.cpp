// SPDX-License-Identifier: MIT
#include <koila/kernels/table.hpp>

#include "ops/check_16_bits.hpp"

namespace koila::test {

TEST_CASE("index_add") {
  const auto f = [](int d, auto... a) {
    return [=](const auto& x, const auto& i, const auto& s) { return index_add(x, d, i, s, a...); };
  };
  const auto g = [](std::int64_t d, double a = 1) {
    return [=](const at::Tensor& x, const at::Tensor& i, const at::Tensor& s) { return x.index_add(d, i, s, a); };
  };
  SECTION("samples of the value, of the index, of the source") {
    for (const auto n : batches) {
      check(f(1), g(1), per_sample(normal({n, 3})), whole(labels(4, 3)), per_sample(normal({n, 4})));
      check(f(0), g(0), per_sample(normal({3, n, 2}), 1), whole(labels(4, 3)), per_sample(normal({4, n, 2}), 1));
      check(f(0), g(0), whole(normal({4, 3})), per_sample(labels(n, 4)), per_sample(normal({n, 3})));
      check(f(-1), g(-1), whole(normal({2, 4})), per_sample(labels(n, 4)), per_sample(normal({2, n}), 1));
    }
    check(f(0), g(0), per_sample(normal({5, 2})), per_sample(labels(5, 5)), per_sample(normal({5, 2})));
    check(f(0), g(0), per_sample(normal({5, 2})), whole(labels(3, 5)), whole(normal({3, 2})));
    check(f(1), g(1), whole(normal({2, 3})), whole(labels(4, 3)), whole(normal({2, 4})));
    check(f(1), g(1), whole(normal({2, 3})), whole(labels(0, 3)), whole(normal({2, 0})));
    check(f(0), g(0), whole(normal({0, 3})), whole(labels(0, 3)), whole(normal({0, 3})));
  }
  SECTION("alpha, by position and by name") {
    for (const auto n : {0, 1, 5}) {
      const operand x = per_sample(normal({n, 3})), i = whole(labels(4, 3)), s = per_sample(normal({n, 4}));
      check(f(1, 2), g(1, 2), x, i, s);
      check(f(1, 0), g(1, 0), x, i, s);
      check(f(1, -0.5), g(1, -0.5), x, i, s);
      check(f(1, alpha = 0.25), g(1, 0.25), x, i, s);
      check([](const auto& a, const auto& b, const auto& c) { return index_add(a, b, c, dim = 1, alpha = 3); }, g(1, 3),
            x, i, s);
    }
    check(f(0, 0.5), g(0, 0.5), whole(normal({4, 3})), per_sample(labels(5, 4)), per_sample(normal({5, 3})));
  }
  SECTION("scalars, shapes that the compiler knows") {
    const at::Tensor zero = at::zeros({}, at::kLong), one = at::zeros({1}, at::kLong);
    check(f(0, 2), g(0, 2), whole(normal({})), whole(zero), whole(normal({})));
    check(f(-1), g(-1), whole(normal({})), whole(one), whole(normal({})));
    check(f(1), g(1), per_sample(normal({5, 3})), whole(zero), per_sample(normal({5, 1})));
    check_typed(f(1, 2), g(1, 2), std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)},
                std::pair{input<int64, 2>{}, labels(2, 3)},
                std::pair{input<batch, 2>{}, normal({5, 2}).to(at::kFloat)});
    check_typed([](const auto& x, const auto& i, const auto& s) { return index_add(x, 0_c, i, s); }, g(0),
                std::pair{parameter<4, 2>{}, normal({4, 2}).to(at::kFloat)},
                std::pair{input<int64, batch>{}, labels(5, 4)},
                std::pair{input<batch, 2>{}, normal({5, 2}).to(at::kFloat)});
  }
  SECTION("other dtypes, special values") {
    const at::Tensor i = at::tensor({2, 0, 2}, at::kLong);
    for (const auto type : {at::kBool, at::kByte, at::kInt, at::kLong, at::kHalf, at::kBFloat16}) {
      const at::Tensor x = at::arange(8).view({2, 4}).remainder(3).to(type),
                       s = at::arange(6).view({2, 3}).remainder(4).to(type);
      same(index_add(x, 1, i, s), x.index_add(1, i, s));
      same(index_add(x, 1, i, s, 3), x.index_add(1, i, s, 3));
      same(index_add(x, 1, i, s, 0), x.index_add(1, i, s, 0));
      same(index_add(x[0], 0, i, s[0]), x[0].index_add(0, i, s[0]));
    }
    const at::Tensor x = at::tensor({NAN, 1.0F, INFINITY}), s = at::tensor({-INFINITY, 2.0F, NAN});
    const at::Tensor each = at::tensor({2, 0, 1}, at::kLong);
    same(index_add(x, 0, each, s), x.index_add(0, each, s));
    same(index_add(x, 0, each, s, 0), x.index_add(0, each, s, 0));
  }
  SECTION("16 bits: the slices are added in float32") {
    const at::Tensor i = labels(40, 4);
    check_16_bits([&](const auto& x, const auto& s) { return index_add(x, 1, koila::lazy(i), s, 0.5); },
                  [&](const at::Tensor& x, const at::Tensor& s) { return x.index_add(1, i, s, 0.5); },
                  per_sample(normal({5, 4})), per_sample(normal({5, 40})));
    const at::Tensor ones = at::ones({4000}, at::kBFloat16);
    const at::Tensor y = index_add(at::zeros({1}, at::kBFloat16), 0, at::zeros({4000}, at::kLong), ones);
    CHECK((by_operators_only || y.item<float>() == 4000));
  }
  SECTION("refused") {
    STATIC_REQUIRE(!Accepts<struct index_add, shape<batch, 3>, shape<int64, 2>, shape<batch, 3>, decltype(dim = 1_c)>);
    const input<any, any> y{"y"};
    const input<int64, any> j{"j"};
    const at::Tensor x = at::rand({2, 3}), i = labels(2, 3), s = at::rand({2, 2}), far = at::full({2}, 3),
                     whole_number = at::ones({2, 3}, at::kInt), two = whole_number.narrow(1, 0, 2),
                     wide = s.to(at::kDouble), nothing = at::rand({2, 0});
    refused([&] { run(index_add(y, 2, j, y), y = x, j = i); },
            "index_add: [2, 3] x int64[2] x [2, 3], dim 2: dimension out of range");
    refused([&] { index_add(x, 1, x[0], s); }, "index_add: [2, 3] x [3] x [2, 2], dim 1: the index is not int64");
    refused([&] { index_add(x, 1, i.view({1, 2}), s); },
            "index_add: [2, 3] x int64[1, 2] x [2, 2], dim 1: no rule for these ranks");
    refused([&] { index_add(x, 0, i, s); }, "index_add: [2, 3] x int64[2] x [2, 2], dim 0: shapes differ");
    refused([&] { index_add(x, 1, i, s[0]); }, "index_add: [2, 3] x int64[2] x [2], dim 1: shapes differ");
    refused([&] { index_add(x, 1, i, wide); }, "index_add: [2, 3] x int64[2] x float64[2, 2], dim 1: dtypes differ");
    refused([&] { index_add(whole_number, 1, i, two, 0.5); },
            "index_add: int32[2, 3] x int64[2] x int32[2, 2], dim 1: not of integers");
    out_of_range([&] { index_add(x, 1, far, s); });
    out_of_range([&] { index_add(nothing, 1, far, s); });  // LibTorch does not check the index of an empty value
    out_of_range([&] { index_add(x, 1, i - 5, s); });
  }
}

}  // namespace koila::test
