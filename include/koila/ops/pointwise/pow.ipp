// SPDX-License-Identifier: MIT
#pragma once
// Definitions of pow.hpp.
#include <koila/ops/common/power_operators.ipp>
#include <koila/ops/pointwise/pow.hpp>
#include <koila/torch/tensor.hpp>

namespace koila::inline v0 {

void ops::pow::evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) {
  if (detail::is_wrapped_number(b)) detail::power_by_operator(y, a, b.item());
  else detail::power_by_operator(y, a, b);
}

}  // namespace koila::inline v0
