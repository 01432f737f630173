// SPDX-License-Identifier: MIT
#pragma once
// Definitions of round.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/round.hpp>

#include <ATen/ops/round_ops.h>

namespace koila::inline v0 {

void ops::round::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::round_out::call(x, y); }

}  // namespace koila::inline v0
