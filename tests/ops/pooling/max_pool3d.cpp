// SPDX-License-Identifier: MIT
#include "ops/check_pool.hpp"

#include <ATen/ops/max_pool3d.h>

namespace koila::test {

TEST_CASE("max_pool3d") {
  const auto f = [](const auto&... x) { return max_pool3d(x...); };
  check_max_pool(f, [](const at::Tensor& x, auto... chosen) { return at::max_pool3d(x, chosen...); }, {4, 3, 5});
  check_typed([](const auto& x) { return max_pool3d(x, 3_c, padding = 1_c); },
              [](const at::Tensor& x) { return at::max_pool3d(x, 3, at::IntArrayRef{}, 1); },
              std::pair{input<batch, 2, 4, 3, 5>{}, normal({5, 2, 4, 3, 5}).to(at::kFloat)});
  STATIC_REQUIRE(std::same_as<result_of<struct max_pool3d, shape<batch, 2, 4, 3, 5>, decltype(2_c)>,
                              shape<batch, index_t{2}, index_t{2}, index_t{1}, index_t{2}>>);
  STATIC_REQUIRE(std::same_as<result_of<struct max_pool3d, shape<batch, 2, 4, 3, 5>, decltype(2)>,
                              shape<batch, index_t{2}, any, any, any>>);
  STATIC_REQUIRE(!Accepts<struct max_pool3d, shape<batch, 2, 4, 3, 5>>);
  STATIC_REQUIRE(!Accepts<struct max_pool3d, shape<batch, 2, 4, 3, 5>, decltype(9_c)>);
  STATIC_REQUIRE(!Accepts<struct max_pool3d, shape<batch, 2, 4, 3, 5>, decltype(2_c), decltype(padding = 2_c)>);
  STATIC_REQUIRE(!Accepts<struct max_pool3d, shape<batch, 2, 4, 3, 5>, decltype(2_c), decltype(groups = 2_c)>);
  const at::Tensor t = at::rand({2, 2, 4, 3, 5}), flat = at::rand({3}),
                   whole_numbers = at::ones({2, 2, 4, 3, 5}, at::kLong);
  refused([&] { max_pool3d(t, 9); }, "max_pool3d: [2, 2, 4, 3, 5], kernel_size 9: the kernel is larger than the input");
  refused([&] { max_pool3d(t, 2, 0); }, "max_pool3d: [2, 2, 4, 3, 5], kernel_size 2, stride 0: a size is out of range");
  STATIC_REQUIRE(!Accepts<struct max_pool3d, shape<unranked>, decltype(list_of(2, 2, 2, 2))>);
  refused([&] { max_pool3d(flat, 2); }, "max_pool3d: [3], kernel_size 2: no rule for these ranks");
  refused([&] { max_pool3d(whole_numbers, 2); },
          "max_pool3d: int64[2, 2, 4, 3, 5], kernel_size 2: not a floating-point dtype");
}

TEST_CASE("trials A1: max_pool3d refuses the windows that LibTorch refuses") {
  check_refused_windows([](const auto&... x) { return max_pool3d(x...); },
                        [](const at::Tensor& x, auto... chosen) { return at::max_pool3d(x, chosen...); }, 3, {1, 2, 3});
}

}  // namespace koila::test
