// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("roll") {
  for (const int position : {0, 1, 2}) {
    std::vector<std::int64_t> sizes{2, 3, 4};
    sizes[static_cast<std::size_t>(position)] = 5;
    const operand x = per_sample(normal(sizes), position);
    check([](const auto& t) { return roll(t, 2, 0); }, [](const at::Tensor& t) { return t.roll({2}, {0}); }, x);
    check([](const auto& t) { return roll(t, list_of(-1, 7), list_of(1, -1)); },
          [](const at::Tensor& t) { return t.roll({-1, 7}, {1, -1}); }, x);
    check([](const auto& t) { return mul(roll(t, 3), t); }, [](const at::Tensor& t) { return t.roll({3}) * t; }, x);
  }
  for (const auto n : batches)
    check([](const auto& t) { return roll(t, shifts = 1_c, dim = -1_c); },
          [](const at::Tensor& t) { return t.roll({1}, {-1}); }, per_sample(normal({n, 3})));
  check([](const auto& t) { return roll(t, 3); }, [](const at::Tensor& t) { return t.roll({3}); },
        whole(normal({2, 3})));
  check_typed([](const auto& t) { return roll(t, 1_c, 1_c); }, [](const at::Tensor& t) { return t.roll({1}, {1}); },
              std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)});
  for (const auto type : {at::kBool, at::kByte, at::kLong, at::kHalf}) {
    const at::Tensor t = at::arange(12).view({3, 4}).remainder(5).to(type);
    same(roll(t, 1, 0), t.roll({1}, {0}));
  }

  STATIC_REQUIRE(!Accepts<struct roll, shape<batch, 3>, decltype(list_of(1_c, 1_c)), decltype(0_c)>);
  const at::Tensor t = at::rand({2, 3});
  refused([&] { roll(t, 1, 2); }, "roll: [2, 3] by 1, dims 2: dimension out of range");
}

}  // namespace koila::test
