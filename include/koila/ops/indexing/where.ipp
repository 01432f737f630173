// SPDX-License-Identifier: MIT
#pragma once
// Definitions of where.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/indexing/where.hpp>

#include <ATen/ops/where_ops.h>

namespace koila::inline v0 {

void where::evaluate(at::Tensor& y, const at::Tensor& mask, const at::Tensor& a, const at::Tensor& b) {
  at::_ops::where_self_out::call(mask, a, b, y);
}

}  // namespace koila::inline v0
