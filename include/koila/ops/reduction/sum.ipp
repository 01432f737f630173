// SPDX-License-Identifier: MIT
#pragma once
// Definitions of sum.hpp.
#include <koila/ops/common/reduction_operators.ipp>
#include <koila/ops/reduction/sum.hpp>

#include <ATen/ops/sum_ops.h>

namespace koila::inline v0 {

void sum::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  at::_ops::sum_IntList_out::call(x, detail::reduced_dims(a, x).given(), a.keepdim.value, y.scalar_type(), y);
}

}  // namespace koila::inline v0
