// SPDX-License-Identifier: MIT
#pragma once
// Definitions of sigmoid_backward.hpp.
#include <koila/ops/common/elements.ipp>
#include <koila/ops/internal/sigmoid_backward.hpp>

#include <ATen/ops/sigmoid_backward_ops.h>

namespace koila::inline v0 {

namespace detail {
inline constexpr auto sigmoid_backward_of = [](auto dy, auto y) { return dy * (1 - y) * y; };
}
namespace internal {

void sigmoid_backward::evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& y) {
  at::_ops::sigmoid_backward_grad_input::call(dy, y, dx);
}
auto sigmoid_backward::elements() -> detail::all_elements {
  return detail::elements_of<struct sigmoid_backward, 2>(detail::sigmoid_backward_of);
}

}  // namespace internal

}  // namespace koila::inline v0
