// SPDX-License-Identifier: MIT
#pragma once
// Definitions of hardtanh.hpp.
#include <koila/ops/activation/hardtanh.hpp>
#include <koila/ops/common/definitions.hpp>

#include <ATen/ops/hardtanh_ops.h>

namespace koila::inline v0 {

void hardtanh::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  at::_ops::hardtanh_out::call(x, a.min_val.value, a.max_val.value, y);
}

}  // namespace koila::inline v0
