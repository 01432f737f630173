// SPDX-License-Identifier: MIT
#pragma once
// Definitions of threshold.hpp.
#include <koila/ops/activation/threshold.hpp>
#include <koila/ops/common/definitions.hpp>

#include <ATen/ops/threshold_ops.h>

namespace koila::inline v0 {

void threshold::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  at::_ops::threshold_out::call(x, a.threshold.value, a.value.value, y);
}

}  // namespace koila::inline v0
