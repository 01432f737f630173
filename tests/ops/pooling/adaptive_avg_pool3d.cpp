// SPDX-License-Identifier: MIT
#include "ops/check_pool.hpp"

#include <ATen/ops/adaptive_avg_pool3d.h>

namespace koila::test {

TEST_CASE("adaptive_avg_pool3d") {
  const auto f = [](const auto&... x) { return adaptive_avg_pool3d(x...); };
  const auto g = [](const at::Tensor& x, at::IntArrayRef s) { return at::adaptive_avg_pool3d(x, s); };
  check_adaptive_pool<3>(f, g, {4, 3, 5}, {{1, 1, 1}, {2, 3, 2}, {4, 1, 7}}, false);
  check_typed([](const auto& x) { return adaptive_avg_pool3d(x, 2_c); },
              [&](const at::Tensor& x) { return g(x, extents{2, 2, 2}); },
              std::pair{input<batch, 2, 4, 3, 5>{}, normal({5, 2, 4, 3, 5}).to(at::kFloat)});
  STATIC_REQUIRE(std::same_as<result_of<struct adaptive_avg_pool3d, shape<batch, 2, 4, 3, 5>, decltype(1_c)>,
                              shape<batch, index_t{2}, index_t{1}, index_t{1}, index_t{1}>>);
  STATIC_REQUIRE(!Accepts<struct adaptive_avg_pool3d, shape<batch, 2, 4, 3, 5>>);
  STATIC_REQUIRE(!Accepts<struct adaptive_avg_pool3d, shape<batch, 2, 4, 3, 5>, decltype(-1_c)>);
  const at::Tensor t = at::rand({2, 2, 4, 3, 5}), flat = at::rand({3}),
                   whole_numbers = at::ones({2, 2, 4, 3, 5}, at::kLong);
  refused([&] { adaptive_avg_pool3d(t, -1); },
          "adaptive_avg_pool3d: [2, 2, 4, 3, 5], output_size -1: a size is out of range");
  refused([&] { adaptive_avg_pool3d(flat, 2); }, "adaptive_avg_pool3d: [3], output_size 2: no rule for these ranks");
  refused([&] { adaptive_avg_pool3d(whole_numbers, 2); },
          "adaptive_avg_pool3d: int64[2, 2, 4, 3, 5], output_size 2: not a floating-point dtype");
}

}  // namespace koila::test
