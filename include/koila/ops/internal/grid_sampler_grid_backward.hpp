// SPDX-License-Identifier: MIT
#pragma once
// grid_sampler_grid_backward: the gradient of grid_sampler with respect to the grid.
#include <koila/ops/vision/grid_sampling.hpp>

namespace koila::inline v0::internal {

/// (samples, channels, out...) x (samples, channels, in...) x (samples, out..., n) -> (samples,
/// out..., n): for each position of the grid, the sum over the channels of dy times the slope of x.
/// This op has no gradient, as in LibTorch.
inline constexpr struct grid_sampler_grid_backward : detail::grid_sampling<grid_sampler_grid_backward, 3> {
  static constexpr std::string_view name = "grid_sampler_grid_backward";
  static constexpr auto rule(const dims& dy, const dims& x, const dims& grid, const attributes& a) -> verdict {
    return rules::grid_sampled_back(dy, x, grid, grid, a);
  }
  static constexpr auto flow(const value& dy, const value& x, const value& grid, const dims& out) -> relations {
    using detail::sampling_role;
    return flows::grid_sampled({{sampling_role::sampled, dy}, {sampling_role::image, x}, {sampling_role::grid, grid}},
                               sampling_role::grid, out);
  }
  static constexpr auto cost(const dims& dy, const dims& x, const dims& grid, const dims& out) -> op_cost {
    return cost_of(x, grid, dy, out.bytes());
  }
  static void evaluate(at::Tensor& dgrid, const at::Tensor& dy, const at::Tensor& x, const at::Tensor& grid,
                       const attributes& a);
} grid_sampler_grid_backward;

}  // namespace koila::inline v0::internal
