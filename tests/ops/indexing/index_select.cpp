// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("index_select") {
  const auto f = [](int d) { return [=](const auto& x, const auto& i) { return index_select(x, d, i); }; };
  const auto g = [](int d) { return [=](const at::Tensor& x, const at::Tensor& i) { return x.index_select(d, i); }; };
  SECTION("samples of the value, of the index, of both") {
    for (const auto n : batches) {
      check(f(1), g(1), per_sample(normal({n, 3})), whole(labels(4, 3)));
      check(f(0), g(0), per_sample(normal({3, n, 2}), 1), whole(labels(4, 3)));
      check(f(-2), g(-2), per_sample(normal({2, 3, n}), 2), whole(labels(2, 3)));
      check(f(0), g(0), whole(normal({4, 3})), per_sample(labels(n, 4)));
      check(f(1), g(1), whole(normal({2, 4, 3})), per_sample(labels(n, 4)));
    }
    for (const std::int64_t n : {1, 5}) {
      check(f(0), g(0), per_sample(normal({n, 3})), whole(labels(4, n)));
      check(f(0), g(0), per_sample(normal({n, 3})), per_sample(labels(n, n)));
      check(f(1), g(1), per_sample(normal({n, 3})), per_sample(labels(n, 3)));
    }
    // flatten merges samples and words into one dim.
    check([](const auto& x, const auto& i) { return mul(index_select(x, 0_c, flatten(i)), 2); },
          [](const at::Tensor& x, const at::Tensor& i) { return x.index_select(0, i.flatten()) * 2; },
          whole(normal({7, 2})), per_sample(labels(15, 7).view({5, 3})));
  }
  SECTION("scalars, shapes that the compiler knows, other dtypes") {
    check(f(0), g(0), per_sample(normal({5, 3})), whole(labels(1, 5)[0]));
    check_typed(f(0), g(0), std::pair{parameter<4, 2>{}, normal({4, 2}).to(at::kFloat)},
                std::pair{input<int64, batch>{}, labels(5, 4)});
    check_typed([](const auto& x, const auto& i) { return index_select(x, -1_c, i); }, g(-1),
                std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
                std::pair{input<int64, 3>{}, labels(3, 4)});
    for (const auto type : {at::kBool, at::kByte, at::kLong, at::kBFloat16}) {
      const at::Tensor t = at::arange(12).view({3, 4}).remainder(5).to(type), i = labels(6, 4);
      same(index_select(t, 1, i), t.index_select(1, i));
      same(index_select(t, i, dim = 1), t.index_select(1, i));
    }
  }
  SECTION("refused") {
    STATIC_REQUIRE(!Accepts<struct index_select, shape<batch, 3>, shape<7>, decltype(dim = 1_c)>);
    const input<any, any> x{"x"};
    const input<int64, any> i{"i"};
    const at::Tensor t = at::rand({2, 3}), three = labels(3, 2), beyond = at::full({2}, 3), int32 = three.to(at::kInt);
    refused([&] { run(index_select(x, 2, i), x = t, i = three); },
            "index_select: [2, 3] x int64[3], dim 2: dimension out of range");
    refused([&] { index_select(t, 0, int32); }, "index_select: [2, 3] x int32[3], dim 0: the index is not int64");
    out_of_range([&] { index_select(t, 1, beyond); });
    out_of_range([&] { index_select(t, 1, -beyond); });
  }
}

}  // namespace koila::test
