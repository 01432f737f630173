// SPDX-License-Identifier: MIT
#include "ops/check_activation.hpp"

namespace koila::test {

TEST_CASE("shrink_backward") {
  const auto f = [](const auto& dy, const auto& x) { return shrink_backward(dy, x, 0.5); };
  const auto g = [](const at::Tensor& dy, const at::Tensor& x) { return at::hardshrink_backward(dy, x, 0.5); };
  for (const auto n : batches) {
    check(f, g, per_sample(normal({n, 3})), per_sample(normal({n, 3}) * 2));
    check(f, g, whole(normal({2, 1})), per_sample(normal({2, n}), 1));
  }
  check(f, g, whole(normal(kinks().sizes())), whole(kinks()));

  const input<any, any> a{"a"}, b{"b"};
  const at::Tensor s = at::rand({2, 3}), t = at::rand({2, 4});
  refused([&] { run(shrink_backward(a, b), a = s, b = t); }, "shrink_backward: [2, 3] x [2, 4]: not broadcastable");
}

TEST_CASE("trials A1: shrink_backward and hardshrink refuse a NaN as their threshold") {
  const at::Tensor s = at::rand({3, 1, 2, 3, 1}), dy = at::rand({2, 1, 1});
  for (const at::Tensor& first : {s, dy}) CHECK_THROWS_AS(shrink_backward(first, s, NAN), shape_error);
  CHECK_THROWS_AS(run(shrink_backward(2, lazy(s), NAN)), shape_error);
  CHECK_THROWS_AS(run(hardshrink(lazy(s), NAN)), shape_error);
  same(shrink_backward(2, s, 0.5), at::hardshrink_backward(at::full({}, 2.0F), s, 0.5));
  same(run(shrink_backward(2, lazy(s), 0.5)), at::hardshrink_backward(at::full({}, 2.0F), s, 0.5));
}

}  // namespace koila::test
