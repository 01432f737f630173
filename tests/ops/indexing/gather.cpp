// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("gather") {
  const auto f = [](int d) { return [=](const auto& x, const auto& i) { return gather(x, d, i); }; };
  const auto g = [](int d) { return [=](const at::Tensor& x, const at::Tensor& i) { return x.gather(d, i); }; };
  const auto index = [](at::IntArrayRef sizes, std::int64_t n) {
    return labels(c10::multiply_integers(sizes), n).view(sizes);
  };
  SECTION("samples of both, on any dim") {
    for (const auto n : batches) {
      check(f(1), g(1), per_sample(normal({n, 3})), per_sample(index({n, 2}, 3)));
      check(f(-1), g(-1), per_sample(normal({2, n, 3}), 1), per_sample(index({2, n, 4}, 3), 1));
      check(f(0), g(0), per_sample(normal({3, n}), 1), per_sample(index({4, n}, 3), 1));
      check(f(0), g(0), whole(normal({4, 3})), per_sample(index({n, 3}, 4)));
      check(f(0), g(0), whole(normal({4, 3})), per_sample(index({n, 2}, 4)));
    }
  }
  SECTION("samples chosen, and fewer rows than there are") {
    for (const std::int64_t n : {2, 5}) {
      check(f(0), g(0), per_sample(normal({n, 3})), whole(index({4, 3}, n)));
      check(f(0), g(0), per_sample(normal({n, 3})), whole(index({4, 2}, n)));
      check(f(0), g(0), per_sample(normal({n, 3})), per_sample(index({n, 3}, n)));
      check(f(1), g(1), whole(normal({4, n})), whole(index({2, 3}, n)));
    }
  }
  SECTION("shapes that the compiler knows, other dtypes") {
    check_typed(f(1), g(1), std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
                std::pair{input<int64, batch, 2>{}, index({5, 2}, 4)});
    check_typed([](const auto& x, const auto& i) { return gather(x, 1_c, i); }, g(1),
                std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
                std::pair{input<int64, batch, 2>{}, index({5, 2}, 4)});
    for (const auto type : {at::kBool, at::kByte, at::kLong, at::kBFloat16}) {
      const at::Tensor t = at::arange(12).view({3, 4}).remainder(5).to(type), i = index({3, 2}, 4);
      same(gather(t, 1, i), t.gather(1, i));
      same(gather(t, i, dim = 1), t.gather(1, i));
    }
  }
  SECTION("refused") {
    STATIC_REQUIRE(!Accepts<struct gather, shape<batch, 3>, shape<int64, 7, 3>, decltype(dim = 1_c)>);
    const input<any, any> x{"x"};
    const input<int64, any, any> i{"i"};
    const at::Tensor t = at::rand({2, 3}), three = index({3, 3}, 2), beyond = at::full({2, 1}, 3),
                     int32 = three.to(at::kInt);
    refused([&] { run(gather(x, 1, i), x = t, i = three); }, "gather: [2, 3] x int64[3, 3], dim 1: shapes differ");
    refused([&] { gather(t, 0, int32); }, "gather: [2, 3] x int32[3, 3], dim 0: the index is not int64");
    refused([&] { gather(t, 2, three); }, "gather: [2, 3] x int64[3, 3], dim 2: dimension out of range");
    out_of_range([&] { gather(t, 1, beyond); });
    out_of_range([&] { gather(t, 1, -beyond); });
  }
}

}  // namespace koila::test
