// SPDX-License-Identifier: MIT
#pragma once
// Definitions of tanh_backward.hpp.
#include <koila/ops/common/elements.ipp>
#include <koila/ops/internal/tanh_backward.hpp>

#include <ATen/ops/tanh_backward_ops.h>

namespace koila::inline v0 {

namespace detail {
inline constexpr auto tanh_backward_of = [](auto dy, auto y) { return dy * (1 - y * y); };
}
namespace internal {

void tanh_backward::evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& y) {
  at::_ops::tanh_backward_grad_input::call(dy, y, dx);
}
auto tanh_backward::elements() -> detail::all_elements {
  return detail::elements_of<struct tanh_backward, 2>(detail::tanh_backward_of);
}

}  // namespace internal

}  // namespace koila::inline v0
