// SPDX-License-Identifier: MIT
#pragma once
// Definitions of hinge_backward.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/internal/hinge_backward.hpp>

#include <ATen/ops/ge_ops.h>

namespace koila::inline v0::internal {

// LibTorch's losses use clamp_min, whose gradient is 0 where x is NaN. threshold_backward would
// return dy where x is NaN.
void hinge_backward::evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x) {
  at::_ops::ge_Scalar_out::call(x.expand(dx.sizes()), 0, dx);
  dx.mul_(dy);
}

}  // namespace koila::inline v0::internal
