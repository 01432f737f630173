// SPDX-License-Identifier: MIT
#include "ops/check_pool.hpp"

#include <ATen/ops/avg_pool2d.h>

namespace koila::test {

TEST_CASE("lp_pool2d") {
  const auto f = [](const auto& x, double norm, auto kernel, auto stride, bool ceil) {
    return lp_pool2d(x, norm, kernel, stride, ceil);
  };
  // As torch::nn::functional::lp_pool2d computes it.
  const auto g = [](const at::Tensor& x, double norm, std::int64_t kernel, std::int64_t stride, bool ceil) {
    const at::Tensor mean = at::avg_pool2d(x.pow(norm), kernel, stride, 0, ceil);
    return (at::sign(mean) * at::relu(at::abs(mean))).mul(kernel * kernel).pow(1 / norm);
  };
  check_lp_pool(f, g, {5, 6});
  check_typed([](const auto& x) { return lp_pool2d(x, norm_type = 2_c, kernel_size = 2_c); },
              [&](const at::Tensor& x) { return g(x, 2, 2, 2, false); },
              std::pair{input<batch, 2, 5, 6>{}, normal({5, 2, 5, 6}).to(at::kFloat)});
  using image = shape<batch, 2, 5, 6>;
  STATIC_REQUIRE(std::same_as<result_of<struct lp_pool2d, image, decltype(2.0), decltype(2_c)>,
                              shape<batch, index_t{2}, index_t{2}, index_t{3}>>);
  STATIC_REQUIRE(
      std::same_as<result_of<struct lp_pool2d, image, decltype(2_c), decltype(2)>, shape<batch, index_t{2}, any, any>>);
  STATIC_REQUIRE(!Accepts<struct lp_pool2d, image>);
  STATIC_REQUIRE(!Accepts<struct lp_pool2d, image, decltype(kernel_size = 2_c)>);
  STATIC_REQUIRE(!Accepts<struct lp_pool2d, image, decltype(2_c), decltype(9_c)>);
  STATIC_REQUIRE(!Accepts<struct lp_pool2d, image, decltype(2_c), decltype(2_c), decltype(padding = 1_c)>);
  const at::Tensor t = at::rand({5, 2, 5, 6}), flat = at::rand({3}), narrow = t.to(at::kHalf);
  const std::string head = "lp_pool2d: [5, 2, 5, 6], kernel_size ";
  refused([&] { lp_pool2d(t, 2, 9); }, head + "9: the kernel is larger than the input");
  refused([&] { lp_pool2d(t, 2, 2, 0); }, head + "2, stride 0: a size is out of range");
  refused([&] { lp_pool2d(flat, 2, 2); }, "lp_pool2d: [3], kernel_size 2: no rule for these ranks");
  refused([&] { lp_pool2d(narrow, 70000, 2); },
          "lp_pool2d: float16[5, 2, 5, 6], kernel_size 2: the dtype does not hold the number");
}

TEST_CASE("trials A1: lp_pool2d refuses the windows that LibTorch refuses") {
  check_refused_windows([](const auto& x, auto kernel, auto stride, auto, auto,
                           bool ceil) { return lp_pool2d(x, 2, kernel, stride, ceil); },
                        [](const at::Tensor& x, auto kernel, auto stride, auto, auto, bool ceil) {
                          return at::avg_pool2d(x.pow(2), kernel, stride, 0, ceil).mul(kernel * kernel).pow(0.5);
                        },
                        2, {1});
}

}  // namespace koila::test
