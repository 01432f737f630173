// SPDX-License-Identifier: MIT
#include "ops/check_activation.hpp"

namespace koila::test {

TEST_CASE("hardswish_backward") {
  const auto f = [](const auto& dy, const auto& x) { return hardswish_backward(dy, x); };
  const auto g = [](const at::Tensor& dy, const at::Tensor& x) {
    return at::where(x <= -3, 0, at::where(x < 3, dy * (x / 3 + 0.5), dy));
  };
  for (const auto n : batches) {
    check(f, g, per_sample(normal({n, 3})), per_sample(normal({n, 3}) * 2));
    check(f, g, whole(normal({2, 1})), per_sample(normal({2, n}) * 2, 1));
  }
  check({.quotients = false}, f, g, whole(normal(kinks().sizes())), whole(kinks()));
  for (const auto type : {at::kFloat, at::kDouble}) {
    const at::Tensor odd = extremes().to(type), one = at::ones_like(odd);
    same(f(one, odd), at::hardswish_backward(one, odd));
  }

  const input<any, any> a{"a"}, b{"b"};
  const at::Tensor s = at::rand({2, 3}), t = at::rand({2, 4});
  refused([&] { run(hardswish_backward(a, b), a = s, b = t); },
          "hardswish_backward: [2, 3] x [2, 4]: not broadcastable");
}

}  // namespace koila::test
