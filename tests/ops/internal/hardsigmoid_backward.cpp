// SPDX-License-Identifier: MIT
#include <koila/kernels/table.hpp>

#include "ops/check_activation.hpp"

namespace koila::test {

TEST_CASE("hardsigmoid_backward") {
  const auto f = [](const auto& dy, const auto& x) { return hardsigmoid_backward(dy, x); };
  const auto g = [](const at::Tensor& dy, const at::Tensor& x) {
    // LibTorch rounds 1 / 6 to float32, even in float64. If koila calls LibTorch's operator,
    // koila's result is rounded as well.
    const double sixth = detail::by_operators_only ? 1.0F / 6 : 1.0 / 6;
    return at::where((x > -3).logical_and(x < 3), dy * sixth, 0);
  };
  for (const auto n : batches) {
    check(f, g, per_sample(normal({n, 3})), per_sample(normal({n, 3}) * 2));
    check(f, g, whole(normal({2, 1})), per_sample(normal({2, n}) * 2, 1));
  }
  check({.quotients = false}, f, g, whole(normal(kinks().sizes())), whole(kinks()));
  const at::Tensor odd = extremes().to(at::kFloat), one = at::ones_like(odd);
  same(f(one, odd), at::hardsigmoid_backward(one, odd));

  const input<any, any> a{"a"}, b{"b"};
  const at::Tensor s = at::rand({2, 3}), t = at::rand({2, 4});
  refused([&] { run(hardsigmoid_backward(a, b), a = s, b = t); },
          "hardsigmoid_backward: [2, 3] x [2, 4]: not broadcastable");
}

}  // namespace koila::test
