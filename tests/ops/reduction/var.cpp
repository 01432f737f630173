// SPDX-License-Identifier: MIT
#include "ops/check_reduction.hpp"

namespace koila::test {

TEST_CASE("var") {
  const auto f = [](const auto&... x) { return var(x...); };
  check_spread(f, [](const at::Tensor& x, auto... chosen) { return at::var(x, chosen...); }, normal);

  // Variances over the batch, and variances within each sample. Both are computed in float32.
  for (const at::ScalarType type : {at::kHalf, at::kBFloat16}) {
    const input<dtype::unknown, batch, 4, 2> y{"y"};
    const at::Tensor few = normal({5, 4, 2}).to(type);  // (5, 4, 2)
    for (const index_t chunk : {5, 2}) {
      const at::Tensor over_batch = run(var(y, dim = 0_c), {.chunk = chunk}, y = few);
      const at::Tensor beside = run(var(y, dim = 2_c, keepdim = true), {.chunk = chunk}, y = few);
      CHECK(over_batch.scalar_type() == type);
      CHECK(beside.sizes() == at::IntArrayRef{5, 4, 1});
      CHECK(at::allclose(over_batch.to(at::kFloat), few.to(at::kFloat).var(at::OptionalIntArrayRef(0)), 8e-3));
      CHECK(at::allclose(beside.to(at::kFloat), few.to(at::kFloat).var(2, true, true), 8e-3));
    }
  }
  const input<dtype::unknown, any, any> x{"x"};
  const at::Tensor t = at::rand({2, 3}), whole_numbers = at::ones({2, 3}, at::kLong);
  refused([&] { run(var(x, dim = 2), x = t); }, "var: [2, 3], dim 2: dimension out of range");
  refused([&] { run(var(x), x = whole_numbers); }, "var: int64[2, 3]: not a floating-point dtype");
}

TEST_CASE("trials H: var of values whose sum of squares is beyond the dtype's largest number") {
  const at::Tensor three = at::tensor({1e19F, -1e19F, 1e19F}), many = normal({600}).to(at::kFloat) * 1e18F;
  for (const at::Tensor& x : {three, many, three.to(at::kBFloat16), many.to(at::kBFloat16)}) {
    const at::Tensor want = x.to(at::kDouble).var(true).to(x.scalar_type());
    const auto close = [&](const at::Tensor& got) {
      return at::isfinite(got).item<bool>() && at::allclose(got, want, 8e-3);
    };
    CHECK(close(var(x)));
    for (const index_t chunk : {0, 2}) CHECK(close(run(var(lazy<batch>(x)), {.chunk = chunk})));
    CHECK(at::allclose(run(koila::std(lazy<batch>(x))), want.sqrt(), 8e-3));
  }
}

}  // namespace koila::test
