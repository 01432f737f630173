#include "check.hpp"

namespace koila::test {

TEST_CASE("std") {
  const auto f = [](const auto& x) { return koila::std(x); };
  const auto g = [](const at::Tensor& x) { return at::std(x); };
  for (const auto& s : some_sizes(1)) {
    // The same at any time: where deviations happen to be small, derivatives are ill-conditioned.
    const at::Tensor t = at::arange(1, c10::multiply_integers(s.sizes) + 1, at::kDouble).square().sin().view(s.sizes);
    if (t.numel() < 2) continue;  // with infinite derivatives: below
    check(f, g, per_sample(t, s.batch));
    for (int d = -2; d < 2; ++d)
      if (const int rank = static_cast<int>(s.sizes.size()); d >= -rank && d < rank && t.size(d) > 1)
        check([=](const auto& x) { return koila::std(x, dim = d, correction = 0, keepdim = d > 0); },
              [=](const at::Tensor& x) { return at::std(x, d, 0, d > 0); }, per_sample(t, s.batch));
  }
  for (const int batch : {0, 1, 2})
    check([](const auto& x) { return koila::std(x, list(0_c, -1_c), correction = 2); },
          [](const at::Tensor& x) { return at::std(x, at::IntArrayRef{0, -1}, at::Scalar(2)); },
          per_sample(normal({3, 5, 2}), batch));
  const at::Tensor far = normal({8, 3}) + 1e3;  // what the difference of two sums would lose
  same(f(far), g(far));
  check_typed([](const auto& x) { return koila::std(x, 1_c); },
              [](const at::Tensor& x) { return at::std(x, at::IntArrayRef{1}, at::Scalar(1)); },
              std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)});

  const at::Tensor odd = at::tensor({NAN, 1.0F, INFINITY, 1.0F, 2.0F, 2.0F}).view({3, 2});  // (3, 2)
  same(koila::std(odd, -1), at::std(odd, at::IntArrayRef{-1}, at::Scalar(1)));
  for (const auto& few : {at::ones({}), at::ones({1, 1}), at::ones({0, 3})}) same(f(few), g(few));
  same(koila::std(at::ones({2, 3}), correction = 7), at::std(at::ones({2, 3}), std::nullopt, at::Scalar(7)));
  // No deviation: no gradient.
  check(
      {.twice = false}, [](const auto& x) { return koila::std(x, 1_c); },
      [](const at::Tensor& x) { return at::std(x, at::IntArrayRef{1}, at::Scalar(1)); },
      per_sample(at::ones({3, 2}, at::kDouble)));

  const input<dtype::unknown, any, any> x{"x"};
  const at::Tensor t = at::rand({2, 3}), whole_numbers = at::ones({2, 3}, at::kLong);
  refused([&] { run(koila::std(x, dim = 2), x = t); }, "std: [2, 3], dim 2: dimension out of range");
  refused([&] { run(koila::std(x), x = whole_numbers); }, "std: int64[2, 3]: not a floating-point dtype");
  STATIC_REQUIRE(!Accepts<struct stddev, shape<batch, 3>, decltype(kernel_size = 1_c)>);
}

}  // namespace koila::test
