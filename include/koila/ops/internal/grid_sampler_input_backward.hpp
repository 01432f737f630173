// SPDX-License-Identifier: MIT
#pragma once
// grid_sampler_input_backward: the gradient of grid_sampler with respect to the images.
#include <koila/ops/internal/grid_sampler_grid_backward.hpp>

namespace koila::inline v0::internal {

struct grid_sampler;

/// (samples, channels, out...) x (samples, channels, in...) x (samples, out..., n) -> (samples,
/// channels, in...): adds each element of dy, times the weights of grid_sampler, to the pixels that
/// grid_sampler read for this element. Only the dims of the second operand are read.
inline constexpr struct grid_sampler_input_backward : detail::grid_sampling<grid_sampler_input_backward, 3> {
  static constexpr std::string_view name = "grid_sampler_input_backward";
  static constexpr unsigned shape_only = 0b010;
  static constexpr auto rule(const dims& dy, const dims& x, const dims& grid, const attributes& a) -> verdict {
    return rules::grid_sampled_back(dy, x, grid, x, a);
  }
  static constexpr auto flow(const value& dy, const value& x, const value& grid, const dims& out) -> relations {
    using detail::sampling_role;
    const value unread{x.dims, {}};
    return flows::grid_sampled(
        {{sampling_role::sampled, dy}, {sampling_role::image, unread}, {sampling_role::grid, grid}},
        sampling_role::image, out);
  }
  /// LibTorch allocates the gradient of the grid, too.
  static constexpr auto cost(const dims& dy, const dims&, const dims& grid, const dims& out) -> op_cost {
    return cost_of(out, grid, dy, out.bytes() + grid.bytes());
  }
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor&, const at::Tensor& grid,
                       const attributes& a);
  static constexpr auto gradient(const auto& d, const auto&, const auto& dy, const auto&, const auto& grid,
                                 const attributes& a) {
    return gradients(detail::call_with<struct grid_sampler>(a, d, grid), no_gradient,
                     detail::call_with<struct grid_sampler_grid_backward>(a, dy, d, grid));
  }
} grid_sampler_input_backward;

}  // namespace koila::inline v0::internal

#include <koila/ops/internal/grid_sampler.hpp>
