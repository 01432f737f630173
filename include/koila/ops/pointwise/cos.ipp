// SPDX-License-Identifier: MIT
#pragma once
// Definitions of cos.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/cos.hpp>

#include <ATen/ops/cos_ops.h>

namespace koila::inline v0 {

void ops::cos::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::cos_out::call(x, y); }

}  // namespace koila::inline v0
