// SPDX-License-Identifier: MIT
#pragma once
// Definitions of relu_backward.hpp.
#include <koila/ops/common/elements.ipp>
#include <koila/ops/internal/relu_backward.hpp>

#include <ATen/ops/threshold_backward_ops.h>

namespace koila::inline v0::internal {

void relu_backward::evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& y) {
  at::_ops::threshold_backward_grad_input::call(dy, y, 0, dx);
}
auto relu_backward::elements() -> detail::all_elements {
  return detail::elements_of<struct relu_backward, 2>([](auto dy, auto y) { return y <= 0 ? decltype(y){} : dy; });
}

}  // namespace koila::inline v0::internal
