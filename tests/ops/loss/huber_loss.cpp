// SPDX-License-Identifier: MIT
#include "ops/check_loss.hpp"

namespace koila::test {

TEST_CASE("huber_loss") {
  for (const double d : {1.0, 0.3}) {
    const auto f = [=](auto choice, const auto& x, const auto& y) {
      return huber_loss(x, y, delta = d, reduction = choice);
    };
    const auto g = [=](std::int64_t reduction, const at::Tensor& x, const at::Tensor& y) {
      return at::huber_loss(x, y, reduction, d);
    };
    for (const auto& s : loss_sizes())
      check_reductions({}, f, g, per_sample(normal(s.sizes), s.batch), per_sample(normal(s.sizes), s.batch));
    check_reductions({}, f, g, whole(normal({})), whole(normal({})));
    // Differences of 0, and of exactly delta.
    check_reductions({.twice = false}, f, g, per_sample(at::full({3, 2}, d, at::kDouble)),
                     per_sample(at::tensor({0.0, d, d, 0.0, 2 * d, 2 * d}, at::kDouble).view({3, 2})));
    check_reductions({}, f, g, per_sample(at::ones({3, 2}, at::kDouble)), per_sample(at::ones({3, 2}, at::kDouble)));
    check_reductions_typed(f, g, std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
                           std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)});
    const at::Tensor odd = at::tensor({NAN, INFINITY, -INFINITY, 0.0F, 1e30F}), one = at::ones({5});
    same(f(kNone, odd, one), g(at::Reduction::None, odd, one));
  }
  const at::Tensor s = at::rand({2, 3}), t = at::rand({2, 1});
  refused([&] { huber_loss(s, t); }, "huber_loss: [2, 3] x [2, 1]: shapes differ");
  refused([&] { huber_loss(s, s, delta = 0.0); }, "huber_loss: [2, 3] x [2, 3]: a size is out of range");
}

TEST_CASE("trials A1: huber_loss of two dtypes has that of the first, as LibTorch's") {
  const auto f = [](auto choice, const auto& x, const auto& y) { return huber_loss(x, y, reduction = choice); };
  const at::Tensor x = normal({4, 3}), y = normal({4, 3});
  for (const auto type : {at::kDouble, at::kFloat, at::kHalf, at::kBFloat16})
    for (const auto other : {at::kDouble, at::kFloat, at::kHalf, at::kBFloat16, at::kLong}) {
      CAPTURE(type, other);
      const at::Tensor a = x.to(type), b = y.to(other);
      const auto matches = [&](const at::Tensor& got, std::int64_t variant) {
        const at::Tensor want = at::huber_loss(a, b, variant);
        CHECK(got.scalar_type() == want.scalar_type());
        const double near = type == at::kBFloat16 ? 1e-2 : type == at::kHalf ? 2e-3 : 1e-5;
        CHECK(at::allclose(got, want, near, near));
      };
      matches(f(kNone, a, b), at::Reduction::None);
      matches(f(kMean, a, b), at::Reduction::Mean);
      matches(run(f(kSum, lazy<batch>(a), lazy<batch>(b)), {.chunk = 3}), at::Reduction::Sum);
    }
  STATIC_REQUIRE(shape_t<decltype(huber_loss(input<float16, batch, 3>{}, input<batch, 3>{}))>::value.type == float16);
}

}  // namespace koila::test
