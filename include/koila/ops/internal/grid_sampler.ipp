// SPDX-License-Identifier: MIT
#pragma once
// Definitions of grid_sampler.hpp.
#include <koila/ops/common/grid_operators.ipp>
#include <koila/ops/internal/grid_sampler.hpp>

namespace koila::inline v0::internal {

void grid_sampler::evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& grid, const attributes& a) {
  if (y.numel() > 0) y.copy_(detail::sample_by_operator(x, grid, a));
}

}  // namespace koila::inline v0::internal
