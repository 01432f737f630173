// SPDX-License-Identifier: MIT
#pragma once
// Definitions of log2.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/log2.hpp>

#include <ATen/ops/log2_ops.h>

namespace koila::inline v0 {

void ops::log2::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::log2_out::call(x, y); }

}  // namespace koila::inline v0
