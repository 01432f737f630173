// SPDX-License-Identifier: MIT
#pragma once
// Definitions of cosh.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/cosh.hpp>

#include <ATen/ops/cosh_ops.h>

namespace koila::inline v0 {

void ops::cosh::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::cosh_out::call(x, y); }

}  // namespace koila::inline v0
