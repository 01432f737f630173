// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("hinge_backward") {
  const auto f = [](const auto& dy, const auto& x) { return hinge_backward(dy, x); };
  const auto g = [](const at::Tensor& dy, const at::Tensor& x) {
    return at::where(x >= 0, dy, at::zeros({}, dy.options()));
  };
  for (const auto& s : some_sizes(1))
    check(f, g, per_sample(normal(s.sizes), s.batch), per_sample(normal(s.sizes), s.batch));
  check(f, g, per_sample(normal({1, 5, 3}), 1), per_sample(normal({2, 5, 1}), 1));
  check(f, g, whole(normal({4, 1})), per_sample(normal({5})));
  for (const auto type : {at::kDouble, at::kFloat, at::kBFloat16, at::kHalf}) {
    const at::Tensor x = at::tensor({double{NAN}, double{INFINITY}, -double{INFINITY}, 0.0, -0.0, 1e-30, -1e-30, 6e-8,
                                     -6e-8, 2.0, -2.0},
                                    at::kDouble)
                             .to(type),
                     dy = at::ones_like(x);
    same(f(dy, x), g(dy, x));
  }
  STATIC_REQUIRE(!Accepts<struct hinge_backward, shape<batch, 3>, decltype(kernel_size = 1_c)>);
}

}  // namespace koila::test
