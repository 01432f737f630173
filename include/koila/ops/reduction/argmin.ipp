// SPDX-License-Identifier: MIT
#pragma once
// Definitions of argmin.hpp.
#include <koila/ops/common/reduction_operators.ipp>
#include <koila/ops/reduction/argmin.hpp>

#include <ATen/ops/argmin_ops.h>

namespace koila::inline v0 {

void argmin::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  at::_ops::argmin_out::call(x, detail::one_dim(a.reduction()), a.keepdim.value, y);
}

}  // namespace koila::inline v0
