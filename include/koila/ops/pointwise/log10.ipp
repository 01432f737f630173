// SPDX-License-Identifier: MIT
#pragma once
// Definitions of log10.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/log10.hpp>

#include <ATen/ops/log10_ops.h>

namespace koila::inline v0 {

void ops::log10::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::log10_out::call(x, y); }

}  // namespace koila::inline v0
