// SPDX-License-Identifier: MIT
#pragma once
// Definitions of add.hpp.
#include <koila/ops/common/elements.ipp>
#include <koila/ops/pointwise/add.hpp>
#include <koila/torch/tensor.hpp>

#include <ATen/ops/add_ops.h>

namespace koila::inline v0 {

void add::evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) {
  // LibTorch rounds a number to 16 bits if it is the first operand.
  if (detail::is_wrapped_number(a)) at::_ops::add_out::call(b, a, 1, y);
  else at::_ops::add_out::call(a, b, 1, y);
}
auto add::elements() -> detail::all_elements { return detail::elements_of<struct add, 2>(); }

}  // namespace koila::inline v0
