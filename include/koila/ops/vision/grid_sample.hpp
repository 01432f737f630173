// SPDX-License-Identifier: MIT
#pragma once
// grid_sample: the values of images at the positions of a grid.
#include <koila/ops/internal/grid_sampler.hpp>
#include <koila/ops/pointwise/precision.hpp>

namespace koila::inline v0 {

/// (samples, channels, h, w) x (samples, h', w', 2) -> (samples, channels, h', w'): the value of
/// each image at each position (x, y) of its grid, as in grid_sample(x, grid, mode = kNearest,
/// padding_mode = kBorder). Positions are between -1 and 1 inside the image. Images and grids may
/// have three spatial dims and positions (x, y, z). The modes are kBilinear, kNearest and, for two
/// spatial dims, kBicubic; the padding modes are kZeros, kBorder and kReflection. The gradient with
/// respect to the grid cannot be differentiated again.
inline constexpr struct grid_sample : author::op<grid_sample> {
  static constexpr std::string_view name = "grid_sample";
  using attributes = detail::grid_sample_attributes;
  static constexpr auto rule(const dims& x, const dims& grid, const attributes& a) -> verdict {
    return rules::grid_sampled(x, grid, a);
  }
  static constexpr auto expand(const auto& x, const auto& grid, const attributes& a) {
    return detail::rounded_once(dims_of(x).type, [&] {
      return detail::call_with<struct internal::grid_sampler>(a, detail::wide_operand(x), detail::wide_operand(grid));
    });
  }
} grid_sample;

}  // namespace koila::inline v0
