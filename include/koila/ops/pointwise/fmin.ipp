// SPDX-License-Identifier: MIT
#pragma once
// Definitions of fmin.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/fmin.hpp>

#include <ATen/ops/fmin_ops.h>

namespace koila::inline v0 {

void ops::fmin::evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) { at::_ops::fmin_out::call(a, b, y); }

}  // namespace koila::inline v0
