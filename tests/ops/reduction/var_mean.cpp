// SPDX-License-Identifier: MIT
#include "ops/check_reduction.hpp"

#include <ATen/ops/var_mean.h>

namespace koila::test {

TEST_CASE("var_mean") {
  check_spread_and_mean([](const auto&... x) { return var_mean(x...); },
                        [](const at::Tensor& x, auto... chosen) { return at::var_mean(x, chosen...); }, normal);

  const input<batch, 3, 4> x{"x"};
  const at::Tensor t = normal({5, 3, 4}).to(at::kFloat), whole_numbers = at::ones({2, 3}, at::kLong);
  // Both results in one expression, and both of a plain tensor.
  const auto [variance, average] = var_mean(x, 1_c, correction = 0);
  const auto [v, m] = at::var_mean(t, at::IntArrayRef{1}, at::Scalar(0));
  for (const index_t chunk : {0, 2}) same(run(variance + average * 2, {.chunk = chunk}, x = t), v + m * 2, false);
  for (const int batch : {0, 1})
    check([](const auto& y) { return std::apply([](const auto& a, const auto& b) { return a * b; }, var_mean(y, 1)); },
          [](const at::Tensor& y) {
            const auto [a, b] = at::var_mean(y, at::IntArrayRef{1}, at::Scalar(1));
            return a * b;
          },
          per_sample(normal({5, 3, 4}), batch));
  for (const auto type : {at::kHalf, at::kBFloat16}) {  // computed in float32
    const auto [a, b] = var_mean(t.to(type), 1);
    const auto [want_a, want_b] = at::var_mean(t.to(type).to(at::kFloat), at::IntArrayRef{1}, at::Scalar(1));
    CHECK(a.scalar_type() == type);
    CHECK(b.scalar_type() == type);
    CHECK(at::allclose(a.to(at::kFloat), want_a, 8e-3));
    CHECK(at::allclose(b.to(at::kFloat), want_b, 8e-3));
  }
  const auto [of_tensor, average_of_tensor] = var_mean(t, 1, correction = 0);
  same(of_tensor, v, false), same(average_of_tensor, m, false);

  refused([&] { run(std::get<0>(var_mean(x, dim = 3)), x = t); },
          "var_mean: [batch=5, 3, 4], dim 3: dimension out of range");
  refused([&] { run(std::get<1>(var_mean(x, dim = 3)), x = t); },
          "var_mean: [batch=5, 3, 4], dim 3: dimension out of range");
  refused([&] { var_mean(whole_numbers); }, "var_mean: int64[2, 3]: not a floating-point dtype");
  STATIC_REQUIRE(!Accepts<struct var_mean_mean, shape<int64, batch, 3>>);
}

}  // namespace koila::test
