// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("slice") {
  SECTION("of every dim, the samples' too") {
    for (const int position : {0, 1})
      for (const int d : {0, -1})
        for (const auto& [start, end, step] :
             {std::array{0, 100, 2}, {1, -1, 1}, {-3, 100, 3}, {4, 2, 1}, {-100, 100, 1}}) {
          std::vector<std::int64_t> sizes{4, 4};
          sizes[static_cast<std::size_t>(position)] = 7;
          check([=](const auto& x) { return slice(x, d, start, end, step); },
                [=](const at::Tensor& x) { return x.slice(d, start, end, step); }, per_sample(normal(sizes), position));
        }
    check([](const auto& x) { return mul(slice(relu(x), 1_c, 1_c), 2); },
          [](const at::Tensor& x) { return x.relu().slice(1, 1) * 2; }, per_sample(normal({5, 3, 2})));
  }
  SECTION("shapes that the compiler knows") {
    const auto f = [](const auto& x) { return slice(x, 1_c, 1_c, -1_c, 2_c); };
    check_typed(
        f, [](const at::Tensor& x) { return x.slice(1, 1, -1, 2); },
        std::pair{input<batch, 7>{}, normal({5, 7}).to(at::kFloat)});
    STATIC_REQUIRE(std::is_same_v<shape_t<decltype(f(input<batch, 7>{}))>, shape_t<input<batch, 3>>>);
    STATIC_REQUIRE(std::is_same_v<shape_t<decltype(slice(input<batch, 7>{}, 0_c, 1_c))>, shape_t<input<any, 7>>>);
  }
  const at::Tensor t = at::rand({2, 3});
  same(slice(at::arange(7), 0, 1, 6, 2), at::arange(7).slice(0, 1, 6, 2));
  refused([&] { slice(t, 0, 0, 2, 0); }, "slice: [2, 3], dim 0 from 0 to 2 by 0: a size is out of range");
  refused([&] { slice(t, 2, 1); }, "slice: [2, 3], dim 2 from 1 by 1: dimension out of range");
}

}  // namespace koila::test
