// SPDX-License-Identifier: MIT
#pragma once
// Definitions of upsample.hpp.
#include <koila/ops/common/interpolation_operators.ipp>
#include <koila/ops/internal/upsample.hpp>

namespace koila::inline v0::internal {

void upsample::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  if (y.numel() > 0) detail::interpolation_operator(a.interpolation, x).forward(y, x);
}

}  // namespace koila::inline v0::internal
