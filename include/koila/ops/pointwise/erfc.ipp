// SPDX-License-Identifier: MIT
#pragma once
// Definitions of erfc.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/erfc.hpp>

#include <ATen/ops/erfc_ops.h>

namespace koila::inline v0 {

void ops::erfc::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::erfc_out::call(x, y); }

}  // namespace koila::inline v0
