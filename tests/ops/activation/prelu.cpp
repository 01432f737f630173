// SPDX-License-Identifier: MIT
#include "ops/check_activation.hpp"

namespace koila::test {

TEST_CASE("prelu") {
  const auto f = [](const auto& x, const auto& w) { return prelu(x, w); };
  const auto g = [](const at::Tensor& x, const at::Tensor& w) { return at::prelu(x, w); };
  for (const auto n : batches) {
    check(f, g, per_sample(normal({n, 3})), whole(normal({3})));
    check(f, g, per_sample(normal({n, 2, 3})), whole(normal({2})));
    check(f, g, per_sample(normal({2, 3, n}), 2), whole(normal({3})));
    check(f, g, per_sample(normal({n, 3})), whole(normal({1})));
  }
  check(f, g, per_sample(normal({5, 3, 2, 2})), whole(normal({3})));
  // LibTorch's second derivative uses a different slope at 0.
  check({.twice = false}, f, g, per_sample(kinks()), whole(normal({1})));
  check(f, g, whole(normal({3})), whole(normal({})));
  check(f, g, whole(normal({})), whole(normal({1})));
  check_typed(f, g, std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)},
              std::pair{parameter<3>{}, normal({3}).to(at::kFloat)});
  for (const auto type : {at::kDouble, at::kFloat, at::kHalf, at::kBFloat16}) {
    const at::Tensor odd = extremes().to(type), quarter = at::full({1}, 0.25, type);
    same(f(odd, quarter), g(odd, quarter));
  }
  const at::Tensor x = at::rand({5, 3}), w = at::rand({2}), v = at::rand({3}, at::kDouble),
                   i = at::ones({3}, at::kLong);
  refused([&] { prelu(x, w); }, "prelu: [5, 3] x [2]: the weight is not one number per channel");
  refused([&] { prelu(x, x); }, "prelu: [5, 3] x [5, 3]: the weight is not one number per channel");
  refused([&] { prelu(x, v); }, "prelu: [5, 3] x float64[3]: dtypes differ");
  refused([&] { prelu(i, i); }, "prelu: int64[3] x int64[3]: not a floating-point dtype");
  STATIC_REQUIRE(!Accepts<struct prelu, shape<batch, 3>, shape<batch>>);
  STATIC_REQUIRE(!Accepts<struct prelu, shape<batch, 3>, shape<3>, decltype(dim = 1_c)>);
}

TEST_CASE("trials H4: prelu's gradients of infinities and NaN are LibTorch's") {
  const auto f = [](const auto& x, const auto& w) { return prelu(x, w); };
  const auto g = [](const at::Tensor& x, const at::Tensor& w) { return at::prelu(x, w); };
  const double inf = INFINITY, nan = NAN;
  const ask once{.twice = false, .quotients = false};
  check(once, f, g, per_sample(at::tensor({inf, 1.0, -2.0, 0.0}, at::kDouble).view({4, 1})),
        whole(at::full({1}, 0.25, at::kDouble)));
  check(once, f, g, per_sample(at::tensor({inf, 1.0, 3.0, 0.5}, at::kDouble).view({4, 1})),
        whole(at::full({1}, inf, at::kDouble)));
  check(once, f, g, per_sample(at::tensor({inf, 1.0, 3.0, nan, 2.0, inf}, at::kDouble).view({3, 2})),
        whole(normal({2})));
}

TEST_CASE("trials A1: prelu of one dim takes a weight whose only extent turns out to be 1") {
  const input<any> x{"x"}, w{"w"};
  const at::Tensor t = at::tensor({-2.0F}), three = at::tensor({-2.0F, 1.0F, -1.0F}), quarter = at::full({1}, 0.25F);
  same(run(prelu(x, w), x = t, w = quarter), at::prelu(t, quarter));
  same(run(prelu(x, w), x = three, w = quarter), at::prelu(three, quarter));
  refused([&] { run(prelu(x, w), x = three, w = three); },
          "prelu: [3] x [3]: the weight is not one number per channel");
}

}  // namespace koila::test
