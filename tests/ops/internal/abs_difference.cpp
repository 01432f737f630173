// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("abs_difference") {
  const auto f = [](const auto& x, const auto& y) { return abs_difference(x, y); };
  const auto g = [](const at::Tensor& x, const at::Tensor& y) {
    return at::smooth_l1_loss(x, y, at::Reduction::None, 0.0);
  };
  const auto wide = [](const at::Tensor& x, const at::Tensor& y) { return (x - y).abs(); };
  check(ask{}, f, wide, broadcasting_pairs());
  const at::Tensor t = normal({5, 3});
  check({.twice = false, .quotients = false}, f, g, per_sample(t), per_sample(t.clone()));
  const at::Tensor odd = at::tensor({NAN, INFINITY, -INFINITY, 0.0F, 1.0F}).to(at::kDouble);
  check({.twice = false, .quotients = false}, f, g, per_sample(odd), per_sample(at::ones({5}, at::kDouble)));
  for (const auto type : {at::kHalf, at::kBFloat16})
    same(f(t.to(type), t.flip(0).to(type)), wide(t.to(type), t.flip(0).to(type)));

  const input<any, any> a{"a"}, b{"b"};
  const at::Tensor s = at::rand({2, 3}), u = at::rand({2, 4}), i = at::ones({3}, at::kLong);
  refused([&] { run(abs_difference(a, b), a = s, b = u); }, "abs_difference: [2, 3] x [2, 4]: not broadcastable");
  refused([&] { abs_difference(i, i); }, "abs_difference: int64[3] x int64[3]: not a floating-point dtype");
}

}  // namespace koila::test
