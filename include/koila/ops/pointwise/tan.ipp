// SPDX-License-Identifier: MIT
#pragma once
// Definitions of tan.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/tan.hpp>

#include <ATen/ops/tan_ops.h>

namespace koila::inline v0 {

void ops::tan::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::tan_out::call(x, y); }

}  // namespace koila::inline v0
