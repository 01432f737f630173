// SPDX-License-Identifier: MIT
#include "ops/check_pool.hpp"

#include <ATen/ops/max_pool1d.h>

namespace koila::test {

TEST_CASE("max_pool1d") {
  const auto f = [](const auto&... x) { return max_pool1d(x...); };
  check_max_pool(f, [](const at::Tensor& x, auto... chosen) { return at::max_pool1d(x, chosen...); }, {7});
  check_typed([](const auto& x) { return max_pool1d(x, 3_c, padding = 1_c); },
              [](const at::Tensor& x) { return at::max_pool1d(x, 3, at::IntArrayRef{}, 1); },
              std::pair{input<batch, 2, 7>{}, normal({5, 2, 7}).to(at::kFloat)});
  STATIC_REQUIRE(std::same_as<result_of<struct max_pool1d, shape<batch, 2, 7>, decltype(2_c)>,
                              shape<batch, index_t{2}, index_t{3}>>);
  STATIC_REQUIRE(
      std::same_as<result_of<struct max_pool1d, shape<batch, 2, 7>, decltype(2)>, shape<batch, index_t{2}, any>>);
  STATIC_REQUIRE(!Accepts<struct max_pool1d, shape<batch, 2, 7>>);
  STATIC_REQUIRE(!Accepts<struct max_pool1d, shape<batch, 2, 7>, decltype(9_c)>);
  STATIC_REQUIRE(!Accepts<struct max_pool1d, shape<batch, 2, 7>, decltype(2_c), decltype(padding = 2_c)>);
  STATIC_REQUIRE(!Accepts<struct max_pool1d, shape<batch, 2, 7>, decltype(2_c), decltype(groups = 2_c)>);
  const at::Tensor t = at::rand({2, 2, 7}), flat = at::rand({3}), whole_numbers = at::ones({2, 2, 7}, at::kLong);
  refused([&] { max_pool1d(t, 9); }, "max_pool1d: [2, 2, 7], kernel_size 9: the kernel is larger than the input");
  refused([&] { max_pool1d(t, 2, 0); }, "max_pool1d: [2, 2, 7], kernel_size 2, stride 0: a size is out of range");
  STATIC_REQUIRE(!Accepts<struct max_pool1d, shape<unranked>, decltype(list_of(2, 2, 2, 2))>);
  refused([&] { max_pool1d(flat, 2); }, "max_pool1d: [3], kernel_size 2: no rule for these ranks");
  refused([&] { max_pool1d(whole_numbers, 2); },
          "max_pool1d: int64[2, 2, 7], kernel_size 2: not a floating-point dtype");
}

TEST_CASE("trials A1: max_pool1d refuses the windows that LibTorch refuses") {
  check_refused_windows([](const auto&... x) { return max_pool1d(x...); },
                        [](const at::Tensor& x, auto... chosen) { return at::max_pool1d(x, chosen...); }, 1, {1, 2, 3});
}

}  // namespace koila::test
