// SPDX-License-Identifier: MIT
#pragma once
// Definitions of lerp.hpp.
#include <koila/ops/common/elements.ipp>
#include <koila/ops/pointwise/lerp.hpp>
#include <koila/torch/tensor.hpp>

#include <ATen/ops/lerp_ops.h>

namespace koila::inline v0 {

void lerp::evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b, const at::Tensor& weight) {
  // LibTorch's lerp does not convert its operands.
  const auto as = [&](const at::Tensor& x) { return x.scalar_type() == y.scalar_type() ? x : x.to(y.scalar_type()); };
  if (detail::is_wrapped_number(weight)) at::_ops::lerp_Scalar_out::call(as(a), as(b), weight.item(), y);
  else at::_ops::lerp_Tensor_out::call(as(a), as(b), as(weight), y);
}
auto lerp::elements() -> detail::all_elements { return detail::elements_of<struct lerp, 3>(); }

}  // namespace koila::inline v0
