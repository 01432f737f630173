// SPDX-License-Identifier: MIT
#pragma once
// What koila checks before it calls LibTorch's grid_sampler_2d_backward.
#include <koila/base/error.hpp>

#include <ATen/core/Tensor.h>

#include <cmath>

namespace koila::inline v0::detail {

/// Throws argument_error if the grid is on the host and a position is not finite. For bilinear
/// samples of 2-d images, with border or reflection as padding, LibTorch's backward kernel for the
/// host reads memory outside the image at such a position.
inline void require_finite_grid(const at::Tensor& grid) {
  if (!grid.is_cpu()) return;
  const auto check = [&](const auto* from) {
    for (std::int64_t i = 0; i < grid.numel(); ++i) {
      std::int64_t offset = 0, rest = i;
      for (std::int64_t d = grid.dim() - 1; d >= 0; --d) {
        offset += rest % grid.size(d) * grid.stride(d);
        rest /= grid.size(d);
      }
      if (!std::isfinite(from[offset]))
        throw argument_error("koila: grid_sample: a position of the grid is NaN or infinite, so there is no gradient");
    }
  };
  if (grid.scalar_type() == at::kDouble) check(static_cast<const double*>(grid.const_data_ptr()));
  else if (grid.scalar_type() == at::kFloat) check(static_cast<const float*>(grid.const_data_ptr()));
}

}  // namespace koila::inline v0::detail
