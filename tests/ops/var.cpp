#include "check.hpp"

namespace koila::test {

TEST_CASE("var") {
  const auto f = [](const auto& x) { return var(x); };
  const auto g = [](const at::Tensor& x) { return at::var(x); };
  for (const auto& s : some_sizes(1)) {
    const at::Tensor t = normal(s.sizes);
    if (t.numel() < 2) continue;  // with infinite derivatives: below
    check(f, g, per_sample(t, s.batch));
    for (int d = -2; d < 2; ++d)
      if (const int rank = static_cast<int>(s.sizes.size()); d >= -rank && d < rank && t.size(d) > 1)
        check([=](const auto& x) { return var(x, dim = d, correction = 0, keepdim = d > 0); },
              [=](const at::Tensor& x) { return at::var(x, d, 0, d > 0); }, per_sample(t, s.batch));
  }
  for (const int batch : {0, 1, 2})
    check([](const auto& x) { return var(x, list(0_c, -1_c), correction = 2); },
          [](const at::Tensor& x) { return at::var(x, at::IntArrayRef{0, -1}, at::Scalar(2)); },
          per_sample(normal({3, 5, 2}), batch));
  const at::Tensor far = normal({8, 3}) + 1e3;  // what the difference of two sums would lose
  same(f(far), g(far));
  check_typed([](const auto& x) { return var(x, 1_c); },
              [](const at::Tensor& x) { return at::var(x, at::IntArrayRef{1}, at::Scalar(1)); },
              std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)});

  const at::Tensor odd = at::tensor({NAN, 1.0F, INFINITY, 1.0F, 2.0F, 2.0F}).view({3, 2});  // (3, 2)
  same(var(odd, -1), at::var(odd, at::IntArrayRef{-1}, at::Scalar(1)));
  for (const auto& few : {at::ones({}), at::ones({1, 1}), at::ones({0, 3})}) same(f(few), g(few));
  same(var(at::ones({2, 3}), correction = 7), at::var(at::ones({2, 3}), std::nullopt, at::Scalar(7)));
  // No deviation: no gradient.
  check(
      {.twice = false}, [](const auto& x) { return var(x, 1_c); },
      [](const at::Tensor& x) { return at::var(x, at::IntArrayRef{1}, at::Scalar(1)); },
      per_sample(at::ones({3, 2}, at::kDouble)));

  const input<dtype::unknown, any, any> x{"x"};
  const at::Tensor t = at::rand({2, 3}), whole_numbers = at::ones({2, 3}, at::kLong);
  refused([&] { run(var(x, dim = 2), x = t); }, "var: [2, 3], dim 2: dimension out of range");
  refused([&] { run(var(x), x = whole_numbers); }, "var: int64[2, 3]: not a floating-point dtype");
  STATIC_REQUIRE(!Accepts<struct var, shape<batch, 3>, decltype(kernel_size = 1_c)>);
}

}  // namespace koila::test
