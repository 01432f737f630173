// SPDX-License-Identifier: MIT
#pragma once
// Definitions of slice_backward.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/internal/slice_backward.hpp>

namespace koila::inline v0::internal {

void slice_backward::evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor&, const attributes& a) {
  dx.zero_();
  const auto n = dy.size(a.dim.value);
  if (n == 0) return;
  dx.slice(a.dim.value, a.start.value, a.start.value + (n - 1) * a.step.value + 1, a.step.value).copy_(dy);
}

}  // namespace koila::inline v0::internal
