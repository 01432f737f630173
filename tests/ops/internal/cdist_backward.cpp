// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

#include <ATen/ops/norm.h>

namespace koila::test {

TEST_CASE("cdist_backward") {
  // The slopes of the norms, for a y that is an operand of its own.
  const auto slopes = [](const at::Tensor& x1, const at::Tensor& x2, const at::Tensor& y, double order) -> at::Tensor {
    const at::Tensor pairs = x1.unsqueeze(2) - x2.unsqueeze(1), size = pairs.abs();
    if (std::isinf(order)) return pairs.sign() * (size == y.unsqueeze(3));
    return pairs.sign() * size.pow(order - 1) * y.unsqueeze(3).pow(1 - order);
  };
  for (const double order : {2.0, 1.0, 3.0, 1.5, 0.5, std::numeric_limits<double>::infinity()}) {
    CAPTURE(order);
    const auto f = [=](const auto& dy, const auto& x1, const auto& x2, const auto& y) {
      return cdist_backward(dy, x1, x2, y, order);
    };
    const auto g = [=](const at::Tensor& dy, const at::Tensor& x1, const at::Tensor& x2, const at::Tensor& y) {
      return (dy.unsqueeze(3) * slopes(x1, x2, y, order)).sum(2) + 0 * x1;
    };
    for (const std::int64_t n : {0, 1, 5})
      check(f, g, per_sample(normal({n, 3, 2})), per_sample(normal({n, 3, 4})), per_sample(normal({n, 2, 4})),
            per_sample(positive({n, 3, 2})));
    check(f, g, whole(normal({2, 3, 4})), whole(normal({2, 3, 2})), whole(normal({2, 4, 2})),
          whole(positive({2, 3, 4})));
    check({.twice = false}, f, g, per_sample(normal({2, 5, 3}), 1), per_sample(normal({2, 5, 4}), 1),
          whole(normal({2, 3, 4})), per_sample(positive({2, 5, 3}), 1));
    check({.twice = false}, f, g, per_sample(normal({2, 3, 5}), 2), whole(normal({2, 3, 4})),
          per_sample(normal({2, 5, 4}), 1), per_sample(positive({2, 3, 5}), 2));
    check({.twice = false}, f, g, whole(normal({2, 3, 4})), per_sample(normal({2, 3, 5}), 2),
          per_sample(normal({2, 4, 5}), 2), whole(positive({2, 3, 4})));
  }
  const auto f = [](const auto& dy, const auto& x1, const auto& x2, const auto& y) {
    return cdist_backward(dy, x1, x2, y);
  };
  CHECK(at::equal(f(at::ones({1, 2, 0}), at::ones({1, 2, 3}), at::ones({1, 0, 3}), at::ones({1, 2, 0})),
                  at::zeros({1, 2, 3})));
  const at::Tensor x1 = at::rand({2, 3, 4}), x2 = at::rand({2, 5, 4}), y = at::rand({2, 3, 5}),
                   wide = y.to(at::kDouble);
  refused([&] { f(x1, x1, x2, y); }, "cdist_backward: [2, 3, 4] x [2, 3, 4] x [2, 5, 4] x [2, 3, 5]: shapes differ");
  refused([&] { f(wide, x1, x2, y); },
          "cdist_backward: float64[2, 3, 5] x [2, 3, 4] x [2, 5, 4] x [2, 3, 5]: dtypes differ");
  refused([&] { cdist_backward(y, x1, x2, y, 0); },
          "cdist_backward: [2, 3, 5] x [2, 3, 4] x [2, 5, 4] x [2, 3, 5]: a size is out of range");
  STATIC_REQUIRE(!Accepts<struct cdist_backward, shape<1, 2, 3>, shape<1, 2, 4>, shape<1, 2, 4>, shape<1, 2, 3>>);
}

}  // namespace koila::test
