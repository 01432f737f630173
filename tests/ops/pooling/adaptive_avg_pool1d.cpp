// SPDX-License-Identifier: MIT
#include "ops/check_pool.hpp"

#include <ATen/ops/adaptive_avg_pool1d.h>

namespace koila::test {

TEST_CASE("adaptive_avg_pool1d") {
  const auto f = [](const auto&... x) { return adaptive_avg_pool1d(x...); };
  const auto g = [](const at::Tensor& x, at::IntArrayRef s) { return at::adaptive_avg_pool1d(x, s); };
  check_adaptive_pool<1>(f, g, {7}, {{1}, {3}, {7}, {9}}, false);
  check_typed([](const auto& x) { return adaptive_avg_pool1d(x, 2_c); },
              [&](const at::Tensor& x) { return g(x, extents{2}); },
              std::pair{input<batch, 2, 7>{}, normal({5, 2, 7}).to(at::kFloat)});
  STATIC_REQUIRE(std::same_as<result_of<struct adaptive_avg_pool1d, shape<batch, 2, 7>, decltype(1_c)>,
                              shape<batch, index_t{2}, index_t{1}>>);
  STATIC_REQUIRE(!Accepts<struct adaptive_avg_pool1d, shape<batch, 2, 7>>);
  STATIC_REQUIRE(!Accepts<struct adaptive_avg_pool1d, shape<batch, 2, 7>, decltype(-1_c)>);
  const at::Tensor t = at::rand({2, 2, 7}), flat = at::rand({3}), whole_numbers = at::ones({2, 2, 7}, at::kLong);
  refused([&] { adaptive_avg_pool1d(t, -1); },
          "adaptive_avg_pool1d: [2, 2, 7], output_size -1: a size is out of range");
  refused([&] { adaptive_avg_pool1d(flat, 2); }, "adaptive_avg_pool1d: [3], output_size 2: no rule for these ranks");
  refused([&] { adaptive_avg_pool1d(whole_numbers, 2); },
          "adaptive_avg_pool1d: int64[2, 2, 7], output_size 2: not a floating-point dtype");
}

}  // namespace koila::test
