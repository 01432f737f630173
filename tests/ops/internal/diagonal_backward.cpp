// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("diagonal_backward") {
  const auto f = [](auto... a) {
    return [=](const auto& dy, const auto& x) { return diagonal_backward(dy, x, a...); };
  };
  const auto g = [](std::int64_t k, std::int64_t i, std::int64_t j) {
    return [=](const at::Tensor& dy, const at::Tensor& x) {
      return at::diagonal_backward(dy, x.sizes(), k, i, j) + 0 * x;
    };
  };
  for (const std::int64_t n : {1, 2, 5}) {
    check(f(1, 1, 2), g(1, 1, 2), per_sample(normal({n, 2})), per_sample(normal({n, 4, 3})));
    check(f(-1, 2, 0), g(-1, 2, 0), per_sample(normal({n, 2})), per_sample(normal({2, n, 4}), 1));
    check(f(-1, 2, 0), g(-1, 2, 0), per_sample(normal({n, 2})), whole(normal({2, n, 4})));
    check(f(0, 0, 1), g(0, 0, 1), per_sample(normal({2, n}), 1), whole(normal({n, n + 1, 2})));
    check(f(0, 0, 3), g(0, 0, 3), per_sample(normal({2, n, 3}), 1), whole(normal({4, 2, n, 3})));
    check(f(0, 0, 1), g(0, 0, 1), whole(normal({n})), per_sample(normal({n, n + 2})));
    check(f(2, 1, 0), g(2, 1, 0), whole(normal({n})), per_sample(normal({n + 2, n}), 0));
  }
  check(f(3, 0, 1), g(3, 0, 1), whole(normal({0})), per_sample(normal({5, 2})));
  check_typed(f(0_c, 1_c, 2_c), g(0, 1, 2), std::pair{input<batch, 2>{}, normal({5, 2}).to(at::kFloat)},
              std::pair{input<batch, 2, 3>{}, normal({5, 2, 3}).to(at::kFloat)});
  const at::Tensor t = at::rand({2, 3});
  refused([&] { diagonal_backward(t, t); },
          "diagonal_backward: [2, 3] x [2, 3], offset 0, dims 0 and 1: shapes differ");
  STATIC_REQUIRE(!Accepts<struct diagonal_backward, shape<3>, shape<2, 3>>);
}

}  // namespace koila::test
