// SPDX-License-Identifier: MIT
#include "ops/check_pool.hpp"

#include <ATen/ops/adaptive_max_pool2d.h>

namespace koila::test {

TEST_CASE("adaptive_max_pool2d") {
  const auto f = [](const auto&... x) { return adaptive_max_pool2d(x...); };
  const auto g = [](const at::Tensor& x, at::IntArrayRef s) { return std::get<0>(at::adaptive_max_pool2d(x, s)); };
  check_adaptive_pool<2>(f, g, {5, 6}, {{1, 1}, {3, 2}, {5, 6}, {7, 4}}, true);
  check_typed([](const auto& x) { return adaptive_max_pool2d(x, 2_c); },
              [&](const at::Tensor& x) { return g(x, extents{2, 2}); },
              std::pair{input<batch, 2, 5, 6>{}, normal({5, 2, 5, 6}).to(at::kFloat)});
  STATIC_REQUIRE(std::same_as<result_of<struct adaptive_max_pool2d, shape<batch, 2, 5, 6>, decltype(1_c)>,
                              shape<batch, index_t{2}, index_t{1}, index_t{1}>>);
  STATIC_REQUIRE(!Accepts<struct adaptive_max_pool2d, shape<batch, 2, 5, 6>>);
  STATIC_REQUIRE(!Accepts<struct adaptive_max_pool2d, shape<batch, 2, 5, 6>, decltype(-1_c)>);
  const at::Tensor t = at::rand({2, 2, 5, 6}), flat = at::rand({3}), whole_numbers = at::ones({2, 2, 5, 6}, at::kLong);
  refused([&] { adaptive_max_pool2d(t, -1); },
          "adaptive_max_pool2d: [2, 2, 5, 6], output_size -1: a size is out of range");
  refused([&] { adaptive_max_pool2d(flat, 2); }, "adaptive_max_pool2d: [3], output_size 2: no rule for these ranks");
  refused([&] { adaptive_max_pool2d(whole_numbers, 2); },
          "adaptive_max_pool2d: int64[2, 2, 5, 6], output_size 2: not a floating-point dtype");
}

}  // namespace koila::test
