// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("softmin") {
  for (const auto& s : some_sizes(1, 3))
    for (int d = -2; d < 2; ++d)
      if (const int rank = static_cast<int>(s.sizes.size()); d >= -rank && d < rank)
        check([=](const auto& x) { return softmin(x, dim = d); },
              [=](const at::Tensor& x) { return at::softmax(-x, d); }, per_sample(normal(s.sizes), s.batch));
  const auto f = [](const auto& x) { return softmin(x, -1_c); };
  const auto g = [](const at::Tensor& x) { return at::softmax(-x, -1); };
  check(f, g, whole(normal({})));
  check_typed(f, g, std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)});
  const at::Tensor odd = at::tensor({NAN, 1.0F, INFINITY, 0.0F, -INFINITY, 1.0F}).view({3, 2});  // (3, 2)
  same(f(odd), g(odd));

  const input<dtype::unknown, any, any> x{"x"};
  const at::Tensor t = at::rand({2, 3}), whole_numbers = at::ones({2, 3}, at::kLong);
  refused([&] { run(softmin(x, dim = 2), x = t); }, "softmin: [2, 3], dim 2: dimension out of range");
  refused([&] { run(softmin(x, dim = 1), x = whole_numbers); },
          "softmin: int64[2, 3], dim 1: not a floating-point dtype");
  STATIC_REQUIRE(!Accepts<struct softmin, shape<batch, 3>>);
  STATIC_REQUIRE(!Accepts<struct softmin, shape<batch, 3>, decltype(dim = 2_c)>);
}

}  // namespace koila::test
