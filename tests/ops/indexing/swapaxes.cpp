// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("swapaxes") {
  for (const auto n : batches)
    check([](const auto& x) { return mul(swapaxes(x, 0, -1), swapdims(x, 0_c, 2_c)); },
          [](const at::Tensor& x) { return x.swapaxes(0, -1) * x.swapdims(0, 2); }, per_sample(normal({2, n, 3}), 1));
  check_typed([](const auto& x) { return swapaxes(x, 0_c, 1_c); }, [](const at::Tensor& x) { return x.t(); },
              std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)});
  const at::Tensor t = at::rand({2, 3});
  refused([&] { swapaxes(t, 0, 2); }, "transpose: [2, 3], dims 0 and 2: dimension out of range");
}

}  // namespace koila::test
