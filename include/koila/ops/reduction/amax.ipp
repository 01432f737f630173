// SPDX-License-Identifier: MIT
#pragma once
// Definitions of amax.hpp.
#include <koila/ops/common/reduction_operators.ipp>
#include <koila/ops/reduction/amax.hpp>

#include <ATen/ops/amax_ops.h>

namespace koila::inline v0 {

void amax::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  at::_ops::amax_out::call(x, detail::reduced_dims(a, x).list(), a.keepdim.value, y);
}

}  // namespace koila::inline v0
