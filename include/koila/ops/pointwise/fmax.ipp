// SPDX-License-Identifier: MIT
#pragma once
// Definitions of fmax.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/fmax.hpp>

#include <ATen/ops/fmax_ops.h>

namespace koila::inline v0 {

void ops::fmax::evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) { at::_ops::fmax_out::call(a, b, y); }

}  // namespace koila::inline v0
