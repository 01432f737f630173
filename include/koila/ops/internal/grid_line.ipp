// SPDX-License-Identifier: MIT
#pragma once
// Definitions of grid_line.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/internal/grid_line.hpp>

#include <ATen/ops/linspace_ops.h>

namespace koila::inline v0::internal {

void grid_line::evaluate(at::Tensor& y, const at::Tensor&, const attributes& a) {
  const auto n = y.numel();
  const double first = a.align_corners.value && n > 1 ? -1.0 : 1.0 / static_cast<double>(n) - 1.0;
  at::_ops::linspace_out::call(first, -first, n, y);
}

}  // namespace koila::inline v0::internal
