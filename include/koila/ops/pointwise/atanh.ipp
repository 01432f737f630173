// SPDX-License-Identifier: MIT
#pragma once
// Definitions of atanh.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/atanh.hpp>

#include <ATen/ops/atanh_ops.h>

namespace koila::inline v0 {

void ops::atanh::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::atanh_out::call(x, y); }

}  // namespace koila::inline v0
