// SPDX-License-Identifier: MIT
#pragma once
// Definitions of sinh.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/sinh.hpp>

#include <ATen/ops/sinh_ops.h>

namespace koila::inline v0 {

void ops::sinh::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::sinh_out::call(x, y); }

}  // namespace koila::inline v0
