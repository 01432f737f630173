// SPDX-License-Identifier: MIT
#pragma once
// Definitions of cumsum.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/reduction/cumsum.hpp>

#include <ATen/ops/cumsum_ops.h>

namespace koila::inline v0 {

void cumsum::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  at::_ops::cumsum_out::call(x, a.dim.value, y.scalar_type(), y);
}

}  // namespace koila::inline v0
