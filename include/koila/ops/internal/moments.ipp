// SPDX-License-Identifier: MIT
#pragma once
// Definitions of moments.hpp.
#include <koila/ops/common/reduction_operators.ipp>
#include <koila/ops/internal/moments.hpp>

#include <ATen/ops/var_mean_ops.h>

namespace koila::inline v0::internal {

void moments::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  const at::Tensor mean = y.select(0, 0), variance = y.select(0, 1);
  const auto [v, m] = at::_ops::var_mean_correction::call(x, detail::reduced_dims(a, x).given(), 0, true);
  mean.copy_(m.view(mean.sizes()));
  variance.copy_(v.view(variance.sizes()));
}

}  // namespace koila::inline v0::internal
