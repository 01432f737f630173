// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("sort") {
  for (const auto& s : some_sizes(1)) {
    const operand x = per_sample(normal(s.sizes), s.batch);
    for (int d = -2; d < 2; ++d)
      if (const int rank = static_cast<int>(s.sizes.size()); d >= -rank && d < rank)
        check([=](const auto& t) { return std::get<0>(sort(t, dim = d, descending = d > 0)); },
              [=](const at::Tensor& t) { return std::get<0>(at::sort(t, d, d > 0)); }, x);
    check([](const auto& t) { return std::get<1>(sort(t)); },
          [](const at::Tensor& t) { return std::get<1>(at::sort(t)); }, x);
  }
  check([](const auto& t) { return std::get<0>(sort(t)); },
        [](const at::Tensor& t) { return std::get<0>(at::sort(t)); }, whole(normal({})));
  check_typed([](const auto& t) { return std::get<0>(sort(t, 1_c)); },
              [](const at::Tensor& t) { return std::get<0>(at::sort(t)); },
              std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)});
  {
    const input<batch, 3> x{"x"};
    const at::Tensor t = normal({5, 3}).to(at::kFloat);  // (samples, 3)
    const auto [values, indices] = sort(x, dim = 0_c);
    same(run(values, x = t), std::get<0>(at::sort(t, 0)));
    same(run(indices, x = t), std::get<1>(at::sort(t, 0)));
  }
  const at::Tensor t = at::rand({2, 3});
  refused([&] { sort(t, 2); }, "sort: [2, 3], dim 2: dimension out of range");
  STATIC_REQUIRE(!Accepts<struct sort_values, shape<batch, 3>, decltype(dim = 2_c)>);
}

}  // namespace koila::test
