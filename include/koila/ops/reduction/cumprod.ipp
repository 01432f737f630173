// SPDX-License-Identifier: MIT
#pragma once
// Definitions of cumprod.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/reduction/cumprod.hpp>

#include <ATen/ops/cumprod_ops.h>

namespace koila::inline v0 {

void cumprod::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  at::_ops::cumprod_out::call(x, a.dim.value, y.scalar_type(), y);
}

}  // namespace koila::inline v0
