// SPDX-License-Identifier: MIT
#pragma once
// Sampling at the positions of a grid by LibTorch's operators, which exist for two and three
// spatial dims.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/vision/grid_sampling.hpp>
#include <koila/torch/grid_sampler.hpp>

#include <ATen/ops/grid_sampler_2d_backward_ops.h>
#include <ATen/ops/grid_sampler_2d_ops.h>
#include <ATen/ops/grid_sampler_3d_backward_ops.h>
#include <ATen/ops/grid_sampler_3d_ops.h>

#include <array>
#include <tuple>

namespace koila::inline v0::detail {

/// LibTorch's numbers of the modes.
inline auto mode_number(const grid_sample_attributes& a) -> std::int64_t {
  return a.mode.value == choice::bilinear ? 0 : a.mode.value == choice::nearest ? 1 : 2;
}
inline auto padding_number(const grid_sample_attributes& a) -> std::int64_t {
  return a.padding_mode.value == choice::zeros ? 0 : a.padding_mode.value == choice::border ? 1 : 2;
}

inline auto sample_by_operator(const at::Tensor& x, const at::Tensor& grid, const grid_sample_attributes& a)
    -> at::Tensor {
  const auto mode = mode_number(a), padding = padding_number(a);
  const bool corners = a.align_corners.value;
  return x.dim() == 4 ? at::_ops::grid_sampler_2d::call(x, grid, mode, padding, corners)
                      : at::_ops::grid_sampler_3d::call(x, grid, mode, padding, corners);
}
/// Returns the gradients with respect to x and to the grid, as far as they are wanted.
inline auto sample_back_by_operator(const at::Tensor& dy, const at::Tensor& x, const at::Tensor& grid,
                                    const grid_sample_attributes& a, std::array<bool, 2> wanted)
    -> std::tuple<at::Tensor, at::Tensor> {
  const auto mode = mode_number(a), padding = padding_number(a);
  const bool corners = a.align_corners.value;
  if (x.dim() == 4 && a.mode.value == choice::bilinear && a.padding_mode.value != choice::zeros)
    require_finite_grid(grid);
  return x.dim() == 4 ? at::_ops::grid_sampler_2d_backward::call(dy, x, grid, mode, padding, corners, wanted)
                      : at::_ops::grid_sampler_3d_backward::call(dy, x, grid, mode, padding, corners, wanted);
}

}  // namespace koila::inline v0::detail
