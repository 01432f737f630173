// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

#include <ATen/ops/grid_sampler.h>
#include <ATen/ops/grid_sampler_2d_backward.h>

namespace koila::test {

namespace {

/// Positions of which about a quarter lie outside of the images.
auto positions(at::IntArrayRef sizes) -> at::Tensor { return normal(sizes) * 0.8; }

template <choice Mode, choice Padding>
void check_sampling(choice_constant<Mode> m, choice_constant<Padding> p, const std::vector<std::int64_t>& from,
                    const std::vector<std::int64_t>& to) {
  const auto n = static_cast<std::int64_t>(from.size());
  const auto sizes = [](std::vector<std::int64_t> front, const std::vector<std::int64_t>& spatial, std::int64_t back) {
    front.insert(front.end(), spatial.begin(), spatial.end());
    if (back > 0) front.push_back(back);
    return front;
  };
  for (const bool corners : {false, true}) {
    CAPTURE(static_cast<int>(Mode), static_cast<int>(Padding), corners, n);
    const auto f = [=](const auto& x, const auto& grid) { return grid_sample(x, grid, m, p, corners); };
    const auto g = [=](const at::Tensor& x, const at::Tensor& grid) {
      return at::grid_sampler(x, grid,
                              Mode == choice::bilinear  ? 0
                              : Mode == choice::nearest ? 1
                                                        : 2,
                              Padding == choice::zeros    ? 0
                              : Padding == choice::border ? 1
                                                          : 2,
                              corners);
    };
    for (const std::int64_t samples : {0, 1, 5})
      check({.twice = false}, f, g, per_sample(normal(sizes({samples, 2}, from, 0))),
            per_sample(positions(sizes({samples}, to, n))));
    check({.twice = false}, f, g, whole(normal(sizes({2, 3}, from, 0))), whole(positions(sizes({2}, to, n))));
    // The samples are channels, positions, or rows of the images.
    check({.twice = false}, f, g, per_sample(normal(sizes({2, 5}, from, 0)), 1), whole(positions(sizes({2}, to, n))));
    check({.twice = false}, f, g, whole(normal(sizes({2, 3}, from, 0))), per_sample(positions(sizes({2}, to, n)), 1));
    check({.twice = false}, f, g, whole(normal(sizes({2, 3}, from, 0))),
          per_sample(positions(sizes({2}, to, n)), static_cast<int>(n)));
    check({.twice = false}, f, g, per_sample(normal(sizes({2, 3}, from, 0)), 2), whole(positions(sizes({2}, to, n))));
  }
}

}  // namespace

TEST_CASE("grid_sample") {
  SECTION("bilinear") {
    check_sampling(kBilinear, kZeros, {4, 5}, {3, 6});
    check_sampling(kBilinear, kBorder, {5, 3}, {2, 9});
    check_sampling(kBilinear, kReflection, {4, 1}, {5, 4});
  }
  SECTION("nearest") {
    check_sampling(kNearest, kZeros, {4, 5}, {3, 6});
    check_sampling(kNearest, kBorder, {1, 3}, {2, 9});
    check_sampling(kNearest, kReflection, {4, 2}, {5, 4});
  }
  SECTION("bicubic") {
    check_sampling(kBicubic, kZeros, {4, 5}, {3, 6});
    check_sampling(kBicubic, kBorder, {4, 5}, {3, 6});
    check_sampling(kBicubic, kReflection, {4, 5}, {3, 6});
  }
  SECTION("three spatial dims") {
    check_sampling(kBilinear, kZeros, {2, 4, 3}, {3, 2, 4});
    check_sampling(kBilinear, kReflection, {2, 4, 3}, {3, 2, 4});
    check_sampling(kNearest, kBorder, {3, 1, 2}, {2, 3, 1});
  }
}

TEST_CASE("grid_sample of few values, of NaN and infinity, and in 16 bits") {
  const auto f = [](const auto& x, const auto& grid) { return grid_sample(x, grid); };
  const auto g = [](const at::Tensor& x, const at::Tensor& grid) { return at::grid_sampler(x, grid, 0, 0, false); };
  check({.twice = false}, f, g, per_sample(normal({5, 0, 4, 5})), per_sample(positions({5, 2, 3, 2})));
  check({.twice = false}, f, g, per_sample(normal({5, 2, 4, 5})), per_sample(positions({5, 0, 3, 2})));
  const at::Tensor x = normal({1, 2, 4, 5}).to(at::kFloat), grid = positions({1, 3, 4, 2}).to(at::kFloat);
  const at::Tensor odd = at::where(x > 1, NAN, at::where(x > 0.5, INFINITY, x));
  const at::Tensor odd_grid = at::where(grid > 1, NAN, at::where(grid < -1, INFINITY, grid));
  const auto both = [&](auto m, std::int64_t mode_in_libtorch, auto p, std::int64_t padding_in_libtorch) {
    CAPTURE(mode_in_libtorch, padding_in_libtorch);
    for (const auto& [v, places] : {std::pair{odd, grid}, std::pair{x, odd_grid}})
      same(grid_sample(v, places, m, p), at::grid_sampler(v, places, mode_in_libtorch, padding_in_libtorch, false));
  };
  both(kBilinear, 0, kZeros, 0), both(kBilinear, 0, kBorder, 1), both(kBilinear, 0, kReflection, 2);
  both(kNearest, 1, kZeros, 0), both(kNearest, 1, kBorder, 1), both(kNearest, 1, kReflection, 2);
  both(kBicubic, 2, kZeros, 0), both(kBicubic, 2, kBorder, 1), both(kBicubic, 2, kReflection, 2);
  // LibTorch's gradient ends the process here.
  for (const double bad : {double{NAN}, double{INFINITY}})
    for (const auto type : {at::kFloat, at::kDouble}) {
      const bound image = leaf(x.to(type)), places = leaf(grid.to(type).clone());
      places.value.view(-1)[3] = bad;
      const auto loss = sum(grid_sample(image.leaf, places.leaf, padding_mode = kBorder));
      CHECK_THROWS_AS(run(gradient(loss, places.leaf)), argument_error);
      CHECK_THROWS_AS(run(gradient(loss, image.leaf)), argument_error);
    }
  for (const auto type : {at::kHalf, at::kBFloat16}) {  // computed in float32
    const at::Tensor got = f(x.to(type), grid.to(type));
    CHECK(got.scalar_type() == type);
    CHECK(at::allclose(got.to(at::kFloat), g(x.to(type).to(at::kFloat), grid.to(type).to(at::kFloat)), 8e-3, 1e-5));
  }
}

TEST_CASE("grid_sample of shapes that the compiler knows, differentiated twice") {
  const input<float64, batch, 2, 4, 5> images{"images"};
  const input<float64, batch, 3, 6, 2> places{"places"};
  const auto y = let(grid_sample(images, places));
  const at::Tensor x = normal({5, 2, 4, 5}), grid = positions({5, 3, 6, 2});
  same(run(y, images = x, places = grid), at::grid_sampler(x, grid, 0, 0, false));
  // LibTorch has no second derivatives. Sampling is linear in the images, so the gradient of
  // |slope|^2, where slope = s^T (s x), is 2 s^T (s slope).
  const auto slope = let(gradient(mul(sum(square(y)), 0.5), images));
  const auto transposed = [&](const at::Tensor& dy) {
    return std::get<0>(at::grid_sampler_2d_backward(dy, x, grid, 0, 0, false, {true, false}));
  };
  const auto of_normal = [&](const at::Tensor& v) { return transposed(at::grid_sampler(v, grid, 0, 0, false)); };
  for (const index_t chunk : {0, 2}) {
    const options o{.chunk = chunk};
    same(run(slope, o, images = x, places = grid), of_normal(x));
    same(run(gradient(sum(square(slope)), images), o, images = x, places = grid), of_normal(of_normal(x)) * 2);
  }
  // The gradient with respect to the grid has no gradient, and neither has LibTorch's.
  CHECK_THROWS_AS(run(gradient(sum(gradient(sum(y), places)), places), images = x, places = grid), usage_error);
}

TEST_CASE("grid_sample refuses") {
  const at::Tensor x = at::rand({2, 3, 4, 5}), grid = at::rand({2, 6, 7, 2}), other = at::rand({3, 6, 7, 2}),
                   wide = grid.to(at::kDouble), whole_numbers = at::ones({2, 3, 4, 5}, at::kLong),
                   none = at::rand({2, 3, 0, 5}), body = at::rand({2, 3, 4, 5, 6}), three = at::rand({2, 6, 7, 8, 3});
  refused([&] { grid_sample(x, other); }, "grid_sample: [2, 3, 4, 5] x [3, 6, 7, 2]: batch dimensions differ");
  refused([&] { grid_sample(x, x); }, "grid_sample: [2, 3, 4, 5] x [2, 3, 4, 5]: shapes differ");
  refused([&] { grid_sample(x, wide); }, "grid_sample: [2, 3, 4, 5] x float64[2, 6, 7, 2]: dtypes differ");
  refused([&] { grid_sample(whole_numbers, grid); },
          "grid_sample: int64[2, 3, 4, 5] x [2, 6, 7, 2]: not a floating-point dtype");
  refused([&] { grid_sample(none, grid); }, "grid_sample: [2, 3, 0, 5] x [2, 6, 7, 2]: a size is out of range");
  refused([&] { grid_sample(body, grid); }, "grid_sample: [2, 3, 4, 5, 6] x [2, 6, 7, 2]: no rule for these ranks");
  refused([&] { grid_sample(body, three, kBicubic); },
          "grid_sample: [2, 3, 4, 5, 6] x [2, 6, 7, 8, 3]: no rule for these ranks");
  using images = shape<batch, 3, 4, 5>;
  STATIC_REQUIRE(std::same_as<result_of<struct grid_sample, images, shape<batch, 6, 7, 2>>,
                              shape<batch, index_t{3}, index_t{6}, index_t{7}>>);
  STATIC_REQUIRE(!Accepts<struct grid_sample, images, shape<batch, 6, 7, 3>>);
  STATIC_REQUIRE(!Accepts<struct grid_sample, images, shape<2, 6, 7, 2>>);
  STATIC_REQUIRE(!Accepts<struct grid_sample, images, shape<batch, 6, 7, 2>, decltype(mode = kTrilinear)>);
  STATIC_REQUIRE(!Accepts<struct grid_sample, images, shape<batch, 6, 7, 2>, decltype(padding_mode = kReflect)>);
}

}  // namespace koila::test
