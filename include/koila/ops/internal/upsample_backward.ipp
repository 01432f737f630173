// SPDX-License-Identifier: MIT
#pragma once
// Definitions of upsample_backward.hpp.
#include <koila/ops/common/interpolation_operators.ipp>
#include <koila/ops/internal/upsample_backward.hpp>

namespace koila::inline v0::internal {

void upsample_backward::evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor&, const attributes& a) {
  dx.zero_();
  if (dy.numel() > 0) detail::interpolation_operator(a.interpolation, dx).backward(dx, dy);
}

}  // namespace koila::inline v0::internal
