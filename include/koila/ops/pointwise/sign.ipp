// SPDX-License-Identifier: MIT
#pragma once
// Definitions of sign.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/sign.hpp>

#include <ATen/ops/sign_ops.h>

namespace koila::inline v0 {

void sign::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::sign_out::call(x, y); }

}  // namespace koila::inline v0
