// SPDX-License-Identifier: MIT
#pragma once
// Definitions of mul.hpp.
#include <koila/ops/common/elements.ipp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/torch/tensor.hpp>

#include <ATen/ops/mul_ops.h>

namespace koila::inline v0 {

void mul::evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) {
  // LibTorch rounds a number to 16 bits if it is the first operand.
  if (detail::is_wrapped_number(a)) at::_ops::mul_out::call(b, a, y);
  else at::_ops::mul_out::call(a, b, y);
}
auto mul::elements() -> detail::all_elements { return detail::elements_of<struct mul, 2>(); }

}  // namespace koila::inline v0
