// SPDX-License-Identifier: MIT
#pragma once
// Definitions of argmax.hpp.
#include <koila/ops/common/reduction_operators.ipp>
#include <koila/ops/reduction/argmax.hpp>

#include <ATen/ops/argmax_ops.h>

namespace koila::inline v0 {

void argmax::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  at::_ops::argmax_out::call(x, detail::one_dim(a.reduction()), a.keepdim.value, y);
}

}  // namespace koila::inline v0
