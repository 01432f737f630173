// SPDX-License-Identifier: MIT
#pragma once
// Definitions of addcdiv.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/addcdiv.hpp>

#include <ATen/ops/addcdiv_ops.h>

namespace koila::inline v0 {

void addcdiv::evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& a, const at::Tensor& b,
                       const attributes& attrs) {
  at::_ops::addcdiv_out::call(x, a, b, attrs.value.value, y);
}

}  // namespace koila::inline v0
