// SPDX-License-Identifier: MIT
#pragma once
// Definitions of all.hpp.
#include <koila/ops/common/reduction_operators.ipp>
#include <koila/ops/reduction/all.hpp>

#include <ATen/ops/all_ops.h>

namespace koila::inline v0 {

void all::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  at::_ops::all_dims_out::call(x, detail::reduced_dims(a, x).given(), a.keepdim.value, y);
}

}  // namespace koila::inline v0
