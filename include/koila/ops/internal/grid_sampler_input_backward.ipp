// SPDX-License-Identifier: MIT
#pragma once
// Definitions of grid_sampler_input_backward.hpp.
#include <koila/ops/common/grid_operators.ipp>
#include <koila/ops/internal/grid_sampler_input_backward.hpp>

namespace koila::inline v0::internal {

void grid_sampler_input_backward::evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor&,
                                           const at::Tensor& grid, const attributes& a) {
  // LibTorch reads the values of x only for the gradient of the grid, so dx stands for x.
  dx.zero_();
  if (dy.numel() > 0) dx.copy_(std::get<0>(detail::sample_back_by_operator(dy, dx, grid, a, {true, false})));
}

}  // namespace koila::inline v0::internal
