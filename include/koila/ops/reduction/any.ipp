// SPDX-License-Identifier: MIT
#pragma once
// Definitions of any.hpp.
#include <koila/ops/common/reduction_operators.ipp>
#include <koila/ops/reduction/any.hpp>

#include <ATen/ops/any_ops.h>

namespace koila::inline v0::internal {

void any_of::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  at::_ops::any_dims_out::call(x, detail::reduced_dims(a, x).given(), a.keepdim.value, y);
}

}  // namespace koila::inline v0::internal
