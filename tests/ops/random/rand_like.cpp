// SPDX-License-Identifier: MIT
#include "ops/drawn.hpp"

namespace koila::test {

TEST_CASE("rand_like") {
  const auto f = [](const auto&... x) { return rand_like(x...); };
  check_drawn(f);
  SECTION("uniform") {
    for (const auto type : {at::kDouble, at::kFloat, at::kHalf, at::kBFloat16}) {
      manual_seed(1);
      const at::Tensor y = rand_like(at::empty({400, 500}, type)).to(at::kDouble);
      CHECK(y.min().item<double>() >= 0);
      CHECK(y.max().item<double>() < 1);
      const double ulp = type == at::kBFloat16 ? 0x1p-8 : type == at::kHalf ? 0x1p-11 : 0;  // values are rounded down
      CHECK(std::abs(y.mean().item<double>() + ulp / 2 - 0.5) < 5 * std::sqrt(1 / 12.0 / 2e5));
      CHECK(std::abs(y.var().item<double>() - 1 / 12.0) < 5 * std::sqrt(1 / 180.0 / 2e5));
      const at::Tensor next = y.roll(1);  // the neighbours
      CHECK(std::abs(((y - 0.5) * (next - 0.5)).mean().item<double>()) < 5 / 12.0 / std::sqrt(2e5) + ulp);
    }
  }
  SECTION("refused") {
    const at::Tensor integers = at::arange(3);
    refused([&] { rand_like(integers); }, "rand_like: int64[3]: not a floating-point dtype");
  }
}

}  // namespace koila::test
