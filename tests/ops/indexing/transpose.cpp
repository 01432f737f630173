// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("transpose") {
  for (const auto& s : some_sizes(1))
    for (const int i : {0, 1, -1, -2})
      for (const int j : {0, 2, -1}) {
        const int rank = static_cast<int>(s.sizes.size());
        if (i >= rank || j >= rank || i < -rank || j < -rank) continue;
        check([&](const auto& x) { return transpose(x, i, j); },
              [&](const at::Tensor& x) { return at::transpose(x, i, j); }, per_sample(normal(s.sizes), s.batch));
      }
  const auto f = [](const auto& x) { return transpose(x, 0_c, -1_c); };
  const auto g = [](const at::Tensor& x) { return at::transpose(x, 0, -1); };
  check(f, g, whole(normal({3, 4})));
  check_typed(f, g, std::pair{input<4, batch, 2>{}, normal({4, 5, 2}).to(at::kFloat)});
  check_typed([](const auto& x) { return transpose(x, dim0 = 0_c, dim1 = 1_c); },
              [](const at::Tensor& x) { return at::transpose(x, 0, 1); },
              std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)});
  const auto between = [](const auto& x) { return mul(transpose(relu(transpose(x, 0, 1)), 0, 1), x); };
  for (const auto n : batches)
    check(between, [](const at::Tensor& x) { return at::relu(x) * x; }, per_sample(normal({n, 3})));

  const input<any, any> x{"x"};
  const at::Tensor t = at::rand({2, 3});
  refused([&] { run(transpose(x, 0, 2), x = t); }, "transpose: [2, 3], dims 0 and 2: dimension out of range");
  refused([&] { transpose(t, 0, 2); }, "transpose: [2, 3], dims 0 and 2: dimension out of range");
}

}  // namespace koila::test
