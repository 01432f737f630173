// SPDX-License-Identifier: MIT
#pragma once
// Definitions of frac.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/frac.hpp>

#include <ATen/ops/frac_ops.h>

namespace koila::inline v0 {

void frac::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::frac_out::call(x, y); }

}  // namespace koila::inline v0
