// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("scatter") {
  const auto f = [](int d) { return [=](const auto& x, const auto& i, const auto& s) { return scatter(x, d, i, s); }; };
  const auto g = [](int d) {
    return [=](const at::Tensor& x, const at::Tensor& i, const at::Tensor& s) { return x.scatter(d, i, s); };
  };
  // No index occurs twice. Otherwise LibTorch does not specify which value and which gradient it
  // uses.
  const auto index = [](std::int64_t n) { return at::arange(2).add(1).repeat({n, 1}); };  // (n, 2) of 1 and 2
  for (const auto n : batches) {
    check(f(1), g(1), per_sample(normal({n, 4})), per_sample(index(n)), per_sample(normal({n, 2})));
    check(f(0), g(0), per_sample(normal({4, n}), 1), per_sample(index(n).t().contiguous(), 1),
          per_sample(normal({2, n}), 1));
    check([](const auto& x, const auto& i) { return scatter(x, 1_c, i, 0.5); },
          [](const at::Tensor& x, const at::Tensor& i) { return x.scatter(1, i, 0.5); }, per_sample(normal({n, 4})),
          per_sample(index(n)));
  }
  check(f(0), g(0), per_sample(normal({5, 2})), whole(at::tensor({3, 1, 2, 0}, at::kLong).view({2, 2})),
        whole(normal({2, 2})));
  check_typed(f(1), g(1), std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
              std::pair{input<int64, batch, 2>{}, index(5)},
              std::pair{input<batch, 2>{}, normal({5, 2}).to(at::kFloat)});
  for (const auto type : {at::kBool, at::kByte, at::kLong, at::kBFloat16}) {
    const at::Tensor t = at::zeros({3, 4}, type), s = at::ones({3, 2}, type);
    same(scatter(t, 1, index(3), s), t.scatter(1, index(3), s));
    same(scatter(t, 1, index(3), 1), t.scatter(1, index(3), 1));
  }
  same(scatter(at::zeros({3}), 0, at::tensor({1, 1}, at::kLong), at::tensor({5.F, 7.F})), at::tensor({0.F, 7.F, 0.F}));

  const at::Tensor t = at::rand({2, 3}), two = index(2), three = index(3), beyond = two + 1, wide = t.to(at::kDouble);
  refused([&] { scatter(t, 1, two, t); }, "scatter: [2, 3] x int64[2, 2] x [2, 3], dim 1: shapes differ");
  refused([&] { scatter(t, 1, three, t); }, "scatter: [2, 3] x int64[3, 2] x [2, 3], dim 1: shapes differ");
  refused([&] { scatter(t, 1, two, wide); }, "scatter: [2, 3] x int64[2, 2] x float64[2, 3], dim 1: dtypes differ");
  out_of_range([&] { scatter(t, 1, beyond, 0); });
}

}  // namespace koila::test
