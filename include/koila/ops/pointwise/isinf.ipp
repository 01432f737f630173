// SPDX-License-Identifier: MIT
#pragma once
// Definitions of isinf.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/isinf.hpp>

#include <ATen/ops/isneginf_ops.h>
#include <ATen/ops/isposinf_ops.h>
#include <ATen/ops/logical_or_ops.h>

namespace koila::inline v0 {

// isinf_out is not used, because isinf_out allocates temporaries for the absolute value and for
// the result.
void ops::isinf::evaluate(at::Tensor& y, const at::Tensor& x) {
  const at::Tensor below = at::_ops::isneginf::call(x);
  at::_ops::isposinf_out::call(x, y);
  at::_ops::logical_or_out::call(y, below, y);
}

}  // namespace koila::inline v0
