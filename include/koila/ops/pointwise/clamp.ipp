// SPDX-License-Identifier: MIT
#pragma once
// Definitions of clamp.hpp.
#include <koila/ops/common/elements.ipp>
#include <koila/ops/pointwise/clamp.hpp>
#include <koila/torch/tensor.hpp>

#include <ATen/ops/clamp_ops.h>

namespace koila::inline v0 {

void clamp::evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& lo, const at::Tensor& hi) {
  const auto number = [](const at::Tensor& t) { return detail::is_wrapped_number(t); };
  if (number(lo) && number(hi)) at::_ops::clamp_out::call(x, lo.item(), hi.item(), y);
  else at::_ops::clamp_Tensor_out::call(x, lo, hi, y);
}
auto clamp::elements() -> detail::all_elements { return detail::elements_of<struct clamp, 3>(); }

}  // namespace koila::inline v0
