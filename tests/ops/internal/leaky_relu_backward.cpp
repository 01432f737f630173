// SPDX-License-Identifier: MIT
#include "ops/check_activation.hpp"

namespace koila::test {

TEST_CASE("leaky_relu_backward") {
  const auto f = [](const auto& dy, const auto& x) { return leaky_relu_backward(dy, x, negative_slope = 0.2); };
  const auto g = [](const at::Tensor& dy, const at::Tensor& x) { return at::leaky_relu_backward(dy, x, 0.2, false); };
  for (const auto n : batches) {
    check(f, g, per_sample(normal({n, 3})), per_sample(normal({n, 3}) * 2));
    check(f, g, whole(normal({2, 1})), per_sample(normal({2, n}), 1));
  }
  check(f, g, whole(normal(kinks().sizes())), whole(kinks()));

  const input<any, any> a{"a"}, b{"b"};
  const at::Tensor s = at::rand({2, 3}), t = at::rand({2, 4});
  refused([&] { run(leaky_relu_backward(a, b), a = s, b = t); },
          "leaky_relu_backward: [2, 3] x [2, 4]: not broadcastable");
  refused([&] { leaky_relu_backward(s, s, 1e300); },
          "leaky_relu_backward: [2, 3] x [2, 3]: the dtype does not hold the number");
}

}  // namespace koila::test
