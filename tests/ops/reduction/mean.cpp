// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("mean") {
  for (const auto& s : some_sizes(1)) {
    const operand x = per_sample(normal(s.sizes), s.batch);
    check([](const auto& t) { return mean(t); }, [](const at::Tensor& t) { return at::mean(t); }, x);
    for (int d = -2; d < 2; ++d)
      if (const int rank = static_cast<int>(s.sizes.size()); d >= -rank && d < rank)
        check([=](const auto& t) { return mean(t, dim = d, keepdim = d > 0); },
              [=](const at::Tensor& t) { return at::mean(t, d, d > 0); }, x);
  }
  check([](const auto& t) { return mean(t); }, [](const at::Tensor& t) { return at::mean(t); }, whole(normal({3, 4})));
  for (const int position : {0, 1, 2})
    check([](const auto& t) { return mean(t, list_of(0_c, -1_c)); },
          [](const at::Tensor& t) { return at::mean(t, at::IntArrayRef{0, -1}); },
          per_sample(normal({3, 5, 2}), position));
  check_typed([](const auto& t) { return mean(t, -1_c); }, [](const at::Tensor& t) { return at::mean(t, -1); },
              std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)});
  check_typed([](const auto& t) { return mean(t); }, [](const at::Tensor& t) { return at::mean(t); },
              std::pair{input<4, batch>{}, normal({4, 5}).to(at::kFloat)});

  const input<dtype::unknown, any, any> x{"x"};
  const at::Tensor t = at::rand({2, 3}), whole_numbers = at::ones({2, 3}, at::kLong);
  refused([&] { run(mean(x, dim = 2), x = t); }, "mean: [2, 3], dim 2: dimension out of range");
  refused([&] { run(mean(x), x = whole_numbers); }, "mean: int64[2, 3]: not a floating-point dtype");
}

}  // namespace koila::test
