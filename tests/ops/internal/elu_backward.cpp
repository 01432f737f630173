// SPDX-License-Identifier: MIT
#include "ops/check_activation.hpp"

namespace koila::test {

TEST_CASE("elu_backward") {
  const auto f = [](const auto& dy, const auto& x) { return elu_backward(dy, x, 0.7, 1.5, 2); };
  const auto g = [](const at::Tensor& dy, const at::Tensor& x) { return at::elu_backward(dy, 0.7, 1.5, 2, false, x); };
  for (const auto n : batches) {
    check(f, g, per_sample(normal({n, 3})), per_sample(normal({n, 3}) * 2));
    check(f, g, whole(normal({2, 1})), per_sample(normal({2, n}), 1));
  }
  check(f, g, whole(normal(kinks().sizes())), whole(kinks()));

  const input<any, any> a{"a"}, b{"b"};
  const at::Tensor s = at::rand({2, 3}), t = at::rand({2, 4});
  refused([&] { run(elu_backward(a, b), a = s, b = t); }, "elu_backward: [2, 3] x [2, 4]: not broadcastable");
}

}  // namespace koila::test
