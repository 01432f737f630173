// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

#include <ATen/ops/affine_grid_generator.h>

namespace koila::test {

TEST_CASE("affine_grid") {
  const auto want = [](const at::Tensor& theta, std::vector<std::int64_t> size, bool corners) {
    size.insert(size.begin(), {theta.size(0), 2});
    return at::affine_grid_generator(theta, size, corners);
  };
  for (const bool corners : {false, true}) {
    for (const auto& [h, w] : {std::pair<std::int64_t, std::int64_t>{4, 5}, {1, 3}, {7, 1}, {1, 1}, {2, 40}}) {
      CAPTURE(corners, h, w);
      const auto f = [=](const auto& theta) {
        return affine_grid(theta, list_of(batch, 2, h, w), align_corners = corners);
      };
      const auto g = [&](const at::Tensor& theta) { return want(theta, {h, w}, corners); };
      for (const std::int64_t n : {0, 1, 5}) check(f, g, per_sample(normal({n, 2, 3})));
      check([=](const auto& theta) { return affine_grid(theta, list_of(3, 2, h, w), corners); }, g,
            whole(normal({3, 2, 3})));
    }
    for (const auto& s : {std::vector<std::int64_t>{3, 4, 2}, {1, 1, 5}, {6, 1, 1}}) {
      const auto f = [=](const auto& theta) {
        return affine_grid(theta, size = list_of(batch, 1, s[0], s[1], s[2]), align_corners = corners);
      };
      for (const std::int64_t n : {0, 1, 5})
        check(f, [&](const at::Tensor& theta) { return want(theta, s, corners); }, per_sample(normal({n, 3, 4})));
    }
  }
  check_typed([](const auto& theta) { return affine_grid(theta, list_of(batch, 3_c, 4_c, 5_c)); },
              [&](const at::Tensor& theta) { return want(theta, {4, 5}, false); },
              std::pair{input<batch, 2, 3>{}, normal({5, 2, 3}).to(at::kFloat)});
  const auto f = [](const auto& theta) { return affine_grid(theta, list_of(2, 3, 4, 5)); };
  const at::Tensor odd = at::tensor({NAN, 1.0F, 0.0F, 1.0F, INFINITY, 2.0F}).view({1, 2, 3}).repeat({2, 1, 1});
  same(f(odd), want(odd, {4, 5}, false));
  for (const auto type : {at::kHalf, at::kBFloat16}) {  // computed in float32
    const at::Tensor theta = normal({2, 2, 3}).to(type);
    const at::Tensor got = f(theta);
    CHECK(got.scalar_type() == type);
    CHECK(at::allclose(got.to(at::kFloat), want(theta.to(at::kFloat), {4, 5}, false), 8e-3, 1e-5));
  }
}

TEST_CASE("affine_grid of shapes that the compiler knows, and refused") {
  using matrices = shape<batch, 2, 3>;
  STATIC_REQUIRE(std::same_as<result_of<struct affine_grid, matrices, decltype(list_of(batch, 3_c, 4_c, 5_c))>,
                              shape<batch, index_t{4}, index_t{5}, index_t{2}>>);
  STATIC_REQUIRE(std::same_as<result_of<struct affine_grid, matrices, decltype(size = list_of(batch, 3, 4, 5_c))>,
                              shape<batch, any, index_t{5}, index_t{2}>>);
  STATIC_REQUIRE(
      std::same_as<result_of<struct affine_grid, shape<any, 3, 4>, decltype(list_of(8_c, 1_c, 4_c, 5_c, 6_c))>,
                   shape<index_t{8}, index_t{4}, index_t{5}, index_t{6}, index_t{3}>>);
  STATIC_REQUIRE(!Accepts<struct affine_grid, matrices>);
  STATIC_REQUIRE(!Accepts<struct affine_grid, matrices, decltype(list_of(batch, 3_c, 4_c))>);
  STATIC_REQUIRE(!Accepts<struct affine_grid, matrices, decltype(list_of(8_c, 3_c, 4_c, 5_c))>);
  STATIC_REQUIRE(!Accepts<struct affine_grid, matrices, decltype(list_of(batch, 3_c, 4_c, batch))>);
  STATIC_REQUIRE(!Accepts<struct affine_grid, matrices, decltype(list_of(batch, 3_c, 4_c, 5_c, 6_c))>);
  STATIC_REQUIRE(!Accepts<struct affine_grid, shape<batch, 3, 4>, decltype(list_of(batch, 3_c, 4_c, 5_c))>);
  STATIC_REQUIRE(!Accepts<struct affine_grid, matrices, decltype(kernel_size = 4_c)>);
  const at::Tensor t = at::rand({2, 2, 3}), flat = at::rand({2, 3}), whole_numbers = at::ones({2, 2, 3}, at::kLong);
  refused([&] { affine_grid(t, list_of(2, 3, 4, 0)); },
          "affine_grid: [2, 2, 3], size [2, 3, 4, 0]: a size is out of range");
  refused([&] { affine_grid(t, list_of(-1, 3, 4, 5)); },
          "affine_grid: [2, 2, 3], size [?, 3, 4, 5]: a size is out of range");
  refused([&] { affine_grid(t, list_of(3, 3, 4, 5)); },
          "affine_grid: [2, 2, 3], size [3, 3, 4, 5]: batch dimensions differ");
  refused([&] { affine_grid(t, list_of(2, 3, 4, 5, 6)); },
          "affine_grid: [2, 2, 3], size [2, 3, 4, 5, 6]: shapes differ");
  refused([&] { affine_grid(flat, list_of(2, 3, 4, 5)); },
          "affine_grid: [2, 3], size [2, 3, 4, 5]: no rule for these ranks");
  refused([&] { affine_grid(whole_numbers, list_of(2, 3, 4, 5)); },
          "affine_grid: int64[2, 2, 3], size [2, 3, 4, 5]: not a floating-point dtype");
}

}  // namespace koila::test
