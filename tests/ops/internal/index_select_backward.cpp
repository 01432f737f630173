// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("index_select_backward") {
  const auto f = [](int d) {
    return [=](const auto& dy, const auto& x, const auto& i) { return index_select_backward(dy, x, i, dim = d); };
  };
  const auto g = [](int d) {
    return [=](const at::Tensor& dy, const at::Tensor& x, const at::Tensor& i) {
      return at::zeros_like(x).index_add(d, i, dy) + 0 * x;
    };
  };
  for (const auto n : batches) {
    check(f(1), g(1), per_sample(normal({n, 4})), per_sample(normal({n, 3})), whole(labels(4, 3)));
    check(f(0), g(0), per_sample(normal({n, 3})), whole(normal({4, 3})), per_sample(labels(n, 4)));
  }
  check(f(0), g(0), whole(normal({4, 3})), per_sample(normal({5, 3})), whole(labels(4, 5)));
  check(f(1), g(1), whole(normal({2, 3})), whole(normal({2, 4})), whole(labels(3, 4)));
  {  // the samples lie along different dims of the operands, which is possible only because the extents match
    const input<float64, batch, any> dy{"dy"};
    const input<float64, any, batch> like{"like"};
    const at::Tensor d = normal({3, 2}), x = normal({3, 3}), i = labels(2, 3);
    for (const index_t chunk : {0, 1, 2})
      same(run(index_select_backward(dy, like, i, dim = 1), {.chunk = chunk}, dy = d, like = x), g(1)(d, x, i));
  }
  check_typed(f(0), g(0), std::pair{input<batch, 2>{}, normal({5, 2}).to(at::kFloat)},
              std::pair{parameter<3, 2>{}, normal({3, 2}).to(at::kFloat)},
              std::pair{input<int64, batch>{}, labels(5, 3)});
  const at::Tensor t = at::rand({2, 3});
  refused([&] { index_select_backward(t, t, t[0], dim = 1); },
          "index_select_backward: [2, 3] x [2, 3] x [3], dim 1: the index is not int64");
  const at::Tensor i = labels(4, 3), dy = at::rand({2, 4}), wide = dy.to(at::kDouble);
  refused([&] { index_select_backward(t, t, i, dim = 1); },
          "index_select_backward: [2, 3] x [2, 3] x int64[4], dim 1: shapes differ");
  refused([&] { index_select_backward(wide, t, i, dim = 1); },
          "index_select_backward: float64[2, 4] x [2, 3] x int64[4], dim 1: dtypes differ");
  refused([&] { index_select_backward(dy, t, i, dim = 2); },
          "index_select_backward: [2, 4] x [2, 3] x int64[4], dim 2: dimension out of range");
}

}  // namespace koila::test
