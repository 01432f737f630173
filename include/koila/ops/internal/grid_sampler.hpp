// SPDX-License-Identifier: MIT
#pragma once
// grid_sampler: the values of images at the positions of a grid.
#include <koila/ops/internal/grid_sampler_input_backward.hpp>

namespace koila::inline v0::internal {

/// (samples, channels, in...) x (samples, out..., n) -> (samples, channels, out...): the value of
/// each image at each position of its grid. grid_sample expands to this op.
inline constexpr struct grid_sampler : detail::grid_sampling<grid_sampler, 2> {
  static constexpr std::string_view name = "grid_sampler";
  static constexpr auto rule(const dims& x, const dims& grid, const attributes& a) -> verdict {
    return rules::grid_sampled_in_float(x, grid, a);
  }
  static constexpr auto flow(const value& x, const value& grid, const dims& out) -> relations {
    using detail::sampling_role;
    return flows::grid_sampled({{sampling_role::image, x}, {sampling_role::grid, grid}}, sampling_role::sampled, out);
  }
  static constexpr auto cost(const dims& x, const dims& grid, const dims& out) -> op_cost {
    return cost_of(x, grid, out, out.bytes());
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& grid, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const auto& grid, const attributes& a) {
    return gradients(detail::call_with<struct grid_sampler_input_backward>(a, dy, x, grid),
                     detail::call_with<struct grid_sampler_grid_backward>(a, dy, x, grid));
  }
} grid_sampler;

}  // namespace koila::inline v0::internal
