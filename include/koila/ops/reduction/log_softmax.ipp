// SPDX-License-Identifier: MIT
#pragma once
// Definitions of log_softmax.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/reduction/log_softmax.hpp>

#include <ATen/ops/_log_softmax_ops.h>

namespace koila::inline v0 {

void log_softmax::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  at::_ops::_log_softmax_out::call(x, a.dim.value, false, y);
}

}  // namespace koila::inline v0
