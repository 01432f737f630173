// SPDX-License-Identifier: MIT
#pragma once
// Definitions of amin.hpp.
#include <koila/ops/common/reduction_operators.ipp>
#include <koila/ops/reduction/amin.hpp>

#include <ATen/ops/amin_ops.h>

namespace koila::inline v0 {

void amin::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  at::_ops::amin_out::call(x, detail::reduced_dims(a, x).list(), a.keepdim.value, y);
}

}  // namespace koila::inline v0
