// SPDX-License-Identifier: MIT
#pragma once
// Definitions of grid_sampler_grid_backward.hpp.
#include <koila/ops/common/grid_operators.ipp>
#include <koila/ops/internal/grid_sampler_grid_backward.hpp>

namespace koila::inline v0::internal {

void grid_sampler_grid_backward::evaluate(at::Tensor& dgrid, const at::Tensor& dy, const at::Tensor& x,
                                          const at::Tensor& grid, const attributes& a) {
  if (dy.numel() == 0) dgrid.zero_();
  else dgrid.copy_(std::get<1>(detail::sample_back_by_operator(dy, x, grid, a, {false, true})));
}

}  // namespace koila::inline v0::internal
