// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

#include <ATen/ops/im2col.h>

namespace koila::test {

TEST_CASE("unfold") {
  struct config {
    std::int64_t kernel[2], dilation[2], padding[2], stride[2];
  };
  const config some[] = {{{3, 2}, {1, 1}, {0, 0}, {1, 1}},
                         {{2, 3}, {2, 1}, {1, 2}, {1, 2}},
                         {{1, 1}, {1, 1}, {0, 0}, {1, 1}},
                         {{2, 2}, {1, 2}, {0, 1}, {2, 1}}};
  for (const config& c : some) {
    const auto f = [&](const auto& x) {
      return unfold(x, list_of(c.kernel[0], c.kernel[1]), list_of(c.dilation[0], c.dilation[1]),
                    list_of(c.padding[0], c.padding[1]), stride = list_of(c.stride[0], c.stride[1]));
    };
    const auto g = [&](const at::Tensor& x) { return at::im2col(x, c.kernel, c.dilation, c.padding, c.stride); };
    for (const std::int64_t n : {0, 1, 3, 5}) check(f, g, per_sample(normal({n, 2, 5, 4})));
    check(f, g, whole(normal({2, 5, 4})));
    for (const int k : {1, 2}) check(f, g, per_sample(normal({2, 3, 5, 4}), k));
  }
  check_typed([](const auto& x) { return unfold(x, 2_c, stride = 2_c); },
              [](const at::Tensor& x) {
                const std::int64_t two[] = {2, 2}, one[] = {1, 1}, none[] = {0, 0};
                return at::im2col(x, two, one, none, two);
              },
              std::pair{input<batch, 3, 4, 6>{}, normal({5, 3, 4, 6}).to(at::kFloat)});
  using image = shape<batch, 3, 4, 6>;
  STATIC_REQUIRE(std::same_as<result_of<struct unfold, image, decltype(2_c)>, shape<batch, index_t{12}, index_t{15}>>);
  STATIC_REQUIRE(std::same_as<result_of<struct unfold, image, decltype(list_of(2_c, 2))>, shape<batch, any, any>>);
  STATIC_REQUIRE(!Accepts<struct unfold, image, decltype(5_c)>);
  STATIC_REQUIRE(!Accepts<struct unfold, image>);
  STATIC_REQUIRE(!Accepts<struct unfold, image, decltype(2_c), decltype(groups = 1_c)>);
  const at::Tensor t = at::rand({2, 3, 4, 4}), flat = at::rand({3, 4}),
                   whole_numbers = at::ones({2, 3, 4, 4}, at::kLong);
  refused([&] { unfold(t, 3, dilation = 2); },
          "unfold: [2, 3, 4, 4], kernel_size 3, dilation 2: the kernel is larger than the input");
  refused([&] { unfold(flat, 1); }, "unfold: [3, 4], kernel_size 1: no rule for these ranks");
  refused([&] { unfold(whole_numbers, 1); }, "unfold: int64[2, 3, 4, 4], kernel_size 1: not a floating-point dtype");
}

}  // namespace koila::test
