// SPDX-License-Identifier: MIT
// Composite ops compute in float32 if an operand has 16 bits.
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("sums and squares of float16 do not overflow") {
  const at::Tensor t = (normal({700, 16}).sigmoid() + 0.5).mul(40).to(at::kHalf);  // (samples, 16)
  const input<float16, batch, 16> x{"x"};
  // LibTorch's tolerance for float16: one rounding of the result.
  const auto alike = [](const at::Tensor& got, const at::Tensor& want) {
    REQUIRE(got.scalar_type() == at::kHalf);
    CHECK(at::allclose(got.to(at::kDouble), want.to(at::kDouble), 1e-3, 1e-5));
  };
  const auto all = [&](const auto& y, const at::Tensor& want) {
    for (const index_t chunk : {700, 64, 1}) alike(run(y, options{.chunk = chunk}, x = t), want);
  };
  all(mean(x), t.mean());
  all(var(x, 0_c), t.var(0));
  all(koila::std(x), t.std());
  all(norm(x), t.norm());
  all(norm(x, 2, 1_c), t.norm(2, 1));
  // LibTorch's batch_norm computes the mean in 16 bits, so the reference is float64.
  all(batch_norm(x), at::batch_norm(t.to(at::kDouble), {}, {}, {}, {}, true, 0.1, 1e-5, false));
  alike(mean(t), t.mean());
  alike(norm(t), t.norm());
}

}  // namespace koila::test
