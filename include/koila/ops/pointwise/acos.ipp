// SPDX-License-Identifier: MIT
#pragma once
// Definitions of acos.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/acos.hpp>

#include <ATen/ops/acos_ops.h>

namespace koila::inline v0 {

void ops::acos::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::acos_out::call(x, y); }

}  // namespace koila::inline v0
