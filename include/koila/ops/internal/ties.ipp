// SPDX-License-Identifier: MIT
#pragma once
// Definitions of ties.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/internal/ties.hpp>

#include <ATen/ops/eq_ops.h>

namespace koila::inline v0::internal {

void ties::evaluate(at::Tensor& tied, const at::Tensor& x, const at::Tensor& y) {
  at::_ops::eq_Tensor_out::call(x, y, tied);
}

}  // namespace koila::inline v0::internal
