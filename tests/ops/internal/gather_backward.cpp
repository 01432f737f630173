// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("gather_backward") {
  const auto f = [](int d) {
    return [=](const auto& dy, const auto& x, const auto& i) { return gather_backward(dy, x, i, dim = d); };
  };
  const auto g = [](int d) {
    return [=](const at::Tensor& dy, const at::Tensor& x, const at::Tensor& i) {
      return at::zeros_like(x).scatter_add(d, i, dy) + 0 * x;
    };
  };
  const auto index = [](at::IntArrayRef sizes, std::int64_t n) {
    return labels(c10::multiply_integers(sizes), n).view(sizes);
  };
  for (const auto n : batches) {
    check(f(1), g(1), per_sample(normal({n, 4})), per_sample(normal({n, 3})), per_sample(index({n, 4}, 3)));
    check(f(0), g(0), per_sample(normal({n, 3})), whole(normal({4, 3})), per_sample(index({n, 3}, 4)));
    check(f(0), g(0), per_sample(normal({n, 2})), whole(normal({4, 3})), per_sample(index({n, 2}, 4)));
  }
  check(f(0), g(0), whole(normal({4, 3})), per_sample(normal({5, 3})), whole(index({4, 3}, 5)));
  check(f(1), g(1), whole(normal({2, 3})), whole(normal({4, 2})), whole(index({2, 3}, 2)));
  check_typed(f(1), g(1), std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
              std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)},
              std::pair{input<int64, batch, 4>{}, index({5, 4}, 3)});
  const at::Tensor t = at::rand({2, 3});
  refused([&] { gather_backward(t, t, t, dim = 1); },
          "gather_backward: [2, 3] x [2, 3] x [2, 3], dim 1: the index is not int64");
  const at::Tensor i = index({2, 4}, 3), dy = at::rand({2, 4}), wide = dy.to(at::kDouble);
  refused([&] { gather_backward(t, t, i, dim = 1); },
          "gather_backward: [2, 3] x [2, 3] x int64[2, 4], dim 1: shapes differ");
  refused([&] { gather_backward(wide, t, i, dim = 1); },
          "gather_backward: float64[2, 4] x [2, 3] x int64[2, 4], dim 1: dtypes differ");
}

}  // namespace koila::test
