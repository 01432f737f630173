// SPDX-License-Identifier: MIT
#pragma once
// Definitions of softmax.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/reduction/softmax.hpp>

#include <ATen/ops/_softmax_ops.h>

namespace koila::inline v0 {

void softmax::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  at::_ops::_softmax_out::call(x, a.dim.value, false, y);
}

}  // namespace koila::inline v0
