// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("topk") {
  for (const auto& s : some_sizes(1)) {
    const operand x = per_sample(normal(s.sizes), s.batch);
    for (int d = -2; d < 2; ++d)
      if (const int rank = static_cast<int>(s.sizes.size()); d >= -rank && d < rank)
        for (const std::int64_t n : {0, 1, 2})
          if (n <= x.value.size(d))
            check([=](const auto& t) { return std::get<0>(topk(t, n, dim = d, largest = d > 0)); },
                  [=](const at::Tensor& t) { return std::get<0>(at::topk(t, n, d, d > 0)); }, x);
  }
  check([](const auto& t) { return std::get<0>(topk(t, 1)); },
        [](const at::Tensor& t) { return std::get<0>(at::topk(t, 1)); }, whole(normal({})));
  check_typed([](const auto& t) { return std::get<0>(topk(t, 2_c)); },
              [](const at::Tensor& t) { return std::get<0>(at::topk(t, 2)); },
              std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)});
  {
    const input<batch, 5> x{"x"};
    const at::Tensor t = normal({4, 5}).to(at::kFloat);  // (samples, 5)
    const auto [values, indices] = topk(x, 3_c, dim = 1_c);
    STATIC_REQUIRE(shape_t<decltype(values)>::value[1].n == 3);
    same(run(values, x = t), std::get<0>(at::topk(t, 3, 1)));
    same(run(indices, x = t), std::get<1>(at::topk(t, 3, 1)));
  }
  const at::Tensor t = at::rand({2, 3});
  refused([&] { topk(t, 2, 2); }, "topk: [2, 3], k 2, dim 2: dimension out of range");
  STATIC_REQUIRE(!Accepts<struct topk_values, shape<batch, 3>, decltype(4_c)>);
}

}  // namespace koila::test
