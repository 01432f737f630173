// SPDX-License-Identifier: MIT
#pragma once
// Definitions of isnan.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/isnan.hpp>

#include <ATen/ops/ne_ops.h>

namespace koila::inline v0 {

// isnan_out is not used, because isnan_out allocates a temporary as large as x.
void ops::isnan::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::ne_Tensor_out::call(x, x, y); }

}  // namespace koila::inline v0
