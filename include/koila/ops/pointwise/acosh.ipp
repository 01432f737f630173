// SPDX-License-Identifier: MIT
#pragma once
// Definitions of acosh.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/acosh.hpp>

#include <ATen/ops/acosh_ops.h>

namespace koila::inline v0 {

void ops::acosh::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::acosh_out::call(x, y); }

}  // namespace koila::inline v0
