// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

#include <ATen/ops/adaptive_avg_pool1d.h>
#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/adaptive_avg_pool3d.h>
#include <ATen/ops/upsample_bicubic2d.h>
#include <ATen/ops/upsample_bilinear2d.h>
#include <ATen/ops/upsample_linear1d.h>
#include <ATen/ops/upsample_nearest1d.h>
#include <ATen/ops/upsample_nearest2d.h>
#include <ATen/ops/upsample_nearest3d.h>
#include <ATen/ops/upsample_trilinear3d.h>

namespace koila::test {

TEST_CASE("interpolate: along a dim whose extent stays no element reaches another") {
  const double inf = std::numeric_limits<double>::infinity(), none = std::numeric_limits<double>::quiet_NaN();
  const at::Tensor x = at::tensor({1.0, none, 2.0, 3.0, 6.0, 5.0, 4.0, -inf}, at::kDouble).view({1, 1, 2, 4});
  const at::Tensor y = interpolate(x, size = list_of(4, 4), mode = kBilinear);
  CHECK(y.select(3, 0).isfinite().all().item<bool>());
  CHECK(y.select(3, 2).isfinite().all().item<bool>());
}

TEST_CASE("interpolate") {
  using ints = std::vector<std::int64_t>;
  using factors = std::vector<double>;
  const ints sizes_in[] = {{7}, {5, 4}, {3, 4, 2}};
  const ints out[3][3] = {{{1}, {3}, {13}}, {{5, 4}, {3, 9}, {7, 1}}, {{1, 1, 1}, {5, 3, 4}, {2, 7, 2}}};
  const auto at_size = [](const at::Tensor& x, choice chosen, bool corners, const ints& s) {
    switch (chosen) {
      case choice::linear: return at::upsample_linear1d(x, s, corners);
      case choice::bilinear: return at::upsample_bilinear2d(x, s, corners);
      case choice::bicubic: return at::upsample_bicubic2d(x, s, corners);
      case choice::trilinear: return at::upsample_trilinear3d(x, s, corners);
      case choice::nearest:
        return s.size() == 1   ? at::upsample_nearest1d(x, s)
               : s.size() == 2 ? at::upsample_nearest2d(x, s)
                               : at::upsample_nearest3d(x, s);
      default:
        return s.size() == 1   ? at::adaptive_avg_pool1d(x, s)
               : s.size() == 2 ? at::adaptive_avg_pool2d(x, s)
                               : at::adaptive_avg_pool3d(x, s);
    }
  };
  const auto at_scale = [](const at::Tensor& x, choice chosen, bool corners, const factors& s) {
    switch (chosen) {
      case choice::linear: return at::upsample_linear1d(x, std::nullopt, corners, s);
      case choice::bilinear: return at::upsample_bilinear2d(x, std::nullopt, corners, s);
      case choice::bicubic: return at::upsample_bicubic2d(x, std::nullopt, corners, s);
      case choice::trilinear: return at::upsample_trilinear3d(x, std::nullopt, corners, s);
      default:
        return s.size() == 1   ? at::upsample_nearest1d(x, std::nullopt, s)
               : s.size() == 2 ? at::upsample_nearest2d(x, std::nullopt, s)
                               : at::upsample_nearest3d(x, std::nullopt, s);
    }
  };
  const auto all = [&](auto chosen, std::size_t n) {
    ints x{3, 2};
    x.insert(x.end(), sizes_in[n - 1].begin(), sizes_in[n - 1].end());
    const bool has_corners = chosen.value != choice::nearest && chosen.value != choice::area;
    for (const bool corners : {false, true}) {
      if (corners && !has_corners) continue;
      for (const ints& s : out[n - 1]) {
        attr_list to;
        to.n = static_cast<int>(n);
        for (std::size_t i = 0; i < n; ++i) to.e[i] = s[i];
        check(
            ask{.twice = s == out[n - 1][1]},
            [=](const auto& v) { return interpolate(v, size = to, mode = chosen, align_corners = corners); },
            [&](const at::Tensor& v) { return at_size(v, chosen.value, corners, s); },
            per_sample(normal(x), s == out[n - 1][2] ? 1 : 0));
      }
      if (chosen.value == choice::area || corners) continue;
      for (const double s : {1.6, 0.6})
        check(
            ask{.twice = false}, [=](const auto& v) { return interpolate(v, scale_factor = s, mode = chosen); },
            [&](const at::Tensor& v) { return at_scale(v, chosen.value, false, factors(n, s)); },
            per_sample(normal(x)));
    }
  };
  for (const std::size_t n : {1U, 2U, 3U}) all(kNearest, n), all(kArea, n);
  all(kLinear, 1), all(kBilinear, 2), all(kBicubic, 2), all(kTrilinear, 3);
  const auto f = [](const auto& x) { return interpolate(x, scale_factor = 2); };
  const auto g = [](const at::Tensor& x) { return at::upsample_nearest1d(x, std::nullopt, factors{2}); };
  check(f, g, whole(normal({2, 3, 4})));
  check(f, g, per_sample(normal({2, 3, 4}), 2));
  check(f, g, per_sample(normal({0, 3, 4})));
  const at::Tensor odd = at::tensor({NAN, INFINITY, -INFINITY, 0.0F}).view({1, 1, 4});
  same(f(odd), g(odd));
}

TEST_CASE("interpolate of shapes that the compiler knows, and refused") {
  const std::vector<double> two{2, 2};
  check_typed([](const auto& x) { return interpolate(x, scale_factor = 2_c, mode = kBilinear); },
              [&](const at::Tensor& x) { return at::upsample_bilinear2d(x, std::nullopt, false, two); },
              std::pair{input<batch, 3, 4, 5>{}, normal({5, 3, 4, 5}).to(at::kFloat)});
  using image = shape<batch, 3, 4, 5>;
  STATIC_REQUIRE(std::same_as<result_of<struct interpolate, image, decltype(scale_factor = list_of(1_c, 3_c))>,
                              shape<batch, index_t{3}, index_t{4}, index_t{15}>>);
  STATIC_REQUIRE(std::same_as<result_of<struct interpolate, image, decltype(list_of(8_c, 7_c))>,
                              shape<batch, index_t{3}, index_t{8}, index_t{7}>>);
  STATIC_REQUIRE(std::same_as<result_of<struct interpolate, image, decltype(scale_factor = 0.5)>,
                              shape<batch, index_t{3}, any, any>>);
  STATIC_REQUIRE(!Accepts<struct interpolate, image>);
  STATIC_REQUIRE(!Accepts<struct interpolate, image, decltype(size = 4_c), decltype(scale_factor = 2_c)>);
  STATIC_REQUIRE(!Accepts<struct interpolate, image, decltype(size = 4_c), decltype(mode = kLinear)>);
  STATIC_REQUIRE(!Accepts<struct interpolate, image, decltype(size = 4_c), decltype(mode = kReflect)>);
  const at::Tensor t = at::rand({2, 3, 4, 4}), whole_numbers = at::ones({2, 3, 4}, at::kLong);
  refused([&] { interpolate(t, size = 0); }, "interpolate: [2, 3, 4, 4], size 0: a size is out of range");
  refused([&] { interpolate(t, scale_factor = 0.1); }, "interpolate: [2, 3, 4, 4]: a size is out of range");
  refused([&] { interpolate(t, size = 3, align_corners = true); },
          "interpolate: [2, 3, 4, 4], size 3: the choice is none of the op's");
  refused([&] { interpolate(whole_numbers, size = 3); },
          "interpolate: int64[2, 3, 4], size 3: not a floating-point dtype");
}

}  // namespace koila::test
