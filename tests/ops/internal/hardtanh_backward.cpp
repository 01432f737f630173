// SPDX-License-Identifier: MIT
#include "ops/check_activation.hpp"

namespace koila::test {

TEST_CASE("hardtanh_backward") {
  const auto f = [](const auto& dy, const auto& x) { return hardtanh_backward(dy, x, -0.5, 2); };
  const auto g = [](const at::Tensor& dy, const at::Tensor& x) { return at::hardtanh_backward(dy, x, -0.5, 2); };
  for (const auto n : batches) {
    check(f, g, per_sample(normal({n, 3})), per_sample(normal({n, 3}) * 2));
    check(f, g, whole(normal({2, 1})), per_sample(normal({2, n}), 1));
  }
  check(f, g, whole(normal(kinks().sizes())), whole(kinks()));

  const input<any, any> a{"a"}, b{"b"};
  const at::Tensor s = at::rand({2, 3}), t = at::rand({2, 4});
  refused([&] { run(hardtanh_backward(a, b), a = s, b = t); }, "hardtanh_backward: [2, 3] x [2, 4]: not broadcastable");
}

TEST_CASE("trials A1: hardtanh and hardtanh_backward refuse a NaN as a bound") {
  const at::Tensor s = at::rand({3, 3, 2}), one = at::rand({});
  CHECK_THROWS_AS(hardtanh_backward(one, s, NAN, 1.0), shape_error);
  CHECK_THROWS_AS(run(hardtanh_backward(lazy(one), lazy(s), -1.0, NAN)), shape_error);
  CHECK_THROWS_AS(run(hardtanh(lazy(s), NAN, 1.0)), shape_error);
}

}  // namespace koila::test
