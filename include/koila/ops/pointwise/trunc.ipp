// SPDX-License-Identifier: MIT
#pragma once
// Definitions of trunc.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/trunc.hpp>

#include <ATen/ops/trunc_ops.h>

namespace koila::inline v0 {

void ops::trunc::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::trunc_out::call(x, y); }

}  // namespace koila::inline v0
