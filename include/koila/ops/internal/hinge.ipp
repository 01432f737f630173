// SPDX-License-Identifier: MIT
#pragma once
// Definitions of hinge.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/internal/hinge.hpp>

#include <ATen/ops/clamp_min_ops.h>

namespace koila::inline v0::internal {

void hinge::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::clamp_min_out::call(x, 0, y); }

}  // namespace koila::inline v0::internal
