// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

#include <ATen/ops/col2im.h>

namespace koila::test {

TEST_CASE("fold") {
  struct config {
    std::int64_t kernel[2], dilation[2], padding[2], stride[2], windows;
  };
  const config some[] = {{{3, 2}, {1, 1}, {0, 0}, {1, 1}, 9},
                         {{2, 3}, {2, 1}, {1, 2}, {1, 2}, 15},
                         {{1, 1}, {1, 1}, {0, 0}, {1, 1}, 20},
                         {{2, 2}, {1, 2}, {0, 1}, {2, 1}, 8}};
  const std::int64_t image[] = {5, 4};
  for (const config& c : some) {
    const auto f = [&](const auto& x) {
      return fold(x, list_of(5, 4), list_of(c.kernel[0], c.kernel[1]), list_of(c.dilation[0], c.dilation[1]),
                  list_of(c.padding[0], c.padding[1]), stride = list_of(c.stride[0], c.stride[1]));
    };
    const auto g = [&](const at::Tensor& x) { return at::col2im(x, image, c.kernel, c.dilation, c.padding, c.stride); };
    const std::int64_t rows = 2 * c.kernel[0] * c.kernel[1];
    for (const std::int64_t n : {0, 1, 3, 5}) check(f, g, per_sample(normal({n, rows, c.windows})));
    check(f, g, whole(normal({rows, c.windows})));
    check(f, g, per_sample(normal({2, rows, c.windows}), 1));
  }
  check_typed([](const auto& x) { return fold(x, list_of(4_c, 6_c), 2_c, stride = 2_c); },
              [](const at::Tensor& x) {
                const std::int64_t two[] = {2, 2}, one[] = {1, 1}, none[] = {0, 0}, all[] = {4, 6};
                return at::col2im(x, all, two, one, none, two);
              },
              std::pair{input<batch, 12, 6>{}, normal({5, 12, 6}).to(at::kFloat)});
  STATIC_REQUIRE(std::same_as<result_of<struct fold, shape<batch, 12, 15>, decltype(list_of(4_c, 6_c)), decltype(2_c)>,
                              shape<batch, index_t{3}, index_t{4}, index_t{6}>>);
  STATIC_REQUIRE(!Accepts<struct fold, shape<batch, 12, 14>, decltype(list_of(4_c, 6_c)), decltype(2_c)>);
  STATIC_REQUIRE(!Accepts<struct fold, shape<batch, 12, 15>, decltype(list_of(4_c, 6_c))>);
  STATIC_REQUIRE(
      !Accepts<struct fold, shape<batch, 12, 15>, decltype(list_of(4_c, 6_c)), decltype(2_c), decltype(groups = 1_c)>);
  const at::Tensor t = at::rand({2, 13, 9}), u = at::rand({2, 12, 8}), whole_numbers = at::ones({2, 12, 9}, at::kLong);
  refused([&] { fold(t, 4, 2); }, "fold: [2, 13, 9], output_size 4, kernel_size 2: the dim is not divisible by it");
  refused([&] { fold(u, 4, 2); }, "fold: [2, 12, 8], output_size 4, kernel_size 2: the numbers of elements differ");
  refused([&] { fold(whole_numbers, 4, 2); },
          "fold: int64[2, 12, 9], output_size 4, kernel_size 2: not a floating-point dtype");
}

}  // namespace koila::test
