// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("view") {
  for (const auto n : batches)
    check([](const auto& x) { return view(x, batch, 6_c); },
          [](const at::Tensor& x) { return x.reshape({x.size(0), 6}); }, per_sample(normal({n, 2, 3})));
  check([](const auto& x) { return view(transpose(x, 0, 1), -1); },
        [](const at::Tensor& x) { return x.t().reshape(-1); }, per_sample(normal({5, 3})));
  check_typed([](const auto& x) { return view(x, batch, 6_c); }, [](const at::Tensor& x) { return x.flatten(1); },
              std::pair{input<batch, 2, 3>{}, normal({5, 2, 3}).to(at::kFloat)});
  const at::Tensor t = at::rand({2, 3});
  refused([&] { view(t, 4, 2); }, "reshape: [2, 3] to [4, 2]: the numbers of elements differ");
}

}  // namespace koila::test
