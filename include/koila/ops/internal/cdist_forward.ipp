// SPDX-License-Identifier: MIT
#pragma once
// Definitions of cdist_forward.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/internal/cdist_forward.hpp>

#include <ATen/ops/_cdist_forward_ops.h>

namespace koila::inline v0::internal {

// The last argument is LibTorch's mode without matrix products. Otherwise LibTorch would choose by
// the number of points, and a chunk has fewer points than the batch.
void cdist_forward::evaluate(at::Tensor& y, const at::Tensor& x1, const at::Tensor& x2, const attributes& a) {
  if (y.numel() > 0) y.copy_(at::_ops::_cdist_forward::call(x1, x2, a.p.value, 2));
}

}  // namespace koila::inline v0::internal
