// SPDX-License-Identifier: MIT
#pragma once
// Definitions of atan.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/atan.hpp>

#include <ATen/ops/atan_ops.h>

namespace koila::inline v0 {

void ops::atan::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::atan_out::call(x, y); }

}  // namespace koila::inline v0
