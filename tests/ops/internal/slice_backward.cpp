// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("slice_backward") {
  const auto g = [](int d, int start, int step) {
    return [=](const at::Tensor& dy, const at::Tensor& x) {
      return at::slice_backward(dy, x.sizes(), d, start, start + (dy.size(d) - 1) * step + 1, step) + 0 * x;
    };
  };
  const auto f = [](int d, int start, int step) {
    return [=](const auto& dy, const auto& x) { return slice_backward(dy, x, d, start, step); };
  };
  for (const std::int64_t n : {1, 5, 8}) {
    check(f(1, 2, 1), g(1, 2, 1), per_sample(normal({n, 2})), per_sample(normal({n, 5})));
    check(f(-1, 0, 3), g(1, 0, 3), per_sample(normal({n, 2})), per_sample(normal({n, 5})));
    check(f(0, 0, 1), g(0, 0, 1), per_sample(normal({n, 2}), 0), whole(normal({9, 2})));
    check(f(0, 1, 1), g(0, 1, 1), whole(normal({n, 2})), per_sample(normal({n + 3, 2})));
    check(f(0, 1, 2), g(0, 1, 2), per_sample(normal({2, n}), 1), whole(normal({4, n})));
  }
  check_typed([](const auto& dy, const auto& x) { return slice_backward(dy, x, 1_c, 1_c); }, g(1, 1, 1),
              std::pair{input<batch, 2>{}, normal({5, 2}).to(at::kFloat)},
              std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)});
  const at::Tensor t = at::rand({2, 3});
  refused([&] { slice_backward(t, t, 1, 1); }, "slice_backward: [2, 3] x [2, 3]: a size is out of range");
  STATIC_REQUIRE(!Accepts<struct slice_backward, shape<2, 3>, shape<4, 5>, decltype(1_c), decltype(0_c)>);
}

}  // namespace koila::test
