// SPDX-License-Identifier: MIT
#pragma once
// Definitions of leaky_relu_backward.hpp.
#include <koila/ops/common/elements.ipp>
#include <koila/ops/internal/leaky_relu_backward.hpp>

#include <ATen/ops/leaky_relu_backward_ops.h>

namespace koila::inline v0::internal {

void leaky_relu_backward::evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const attributes& a) {
  at::_ops::leaky_relu_backward_grad_input::call(dy, x, a.negative_slope.value, false, dx);
}
auto leaky_relu_backward::elements() -> detail::all_elements {
  return detail::elements_of<struct leaky_relu_backward, 2>([](auto zero, const attributes& a, auto loop) {
    loop([slope = static_cast<decltype(zero)>(a.negative_slope.value)](auto dy, auto x) {
      return x > 0 ? dy : dy * slope;
    });
  });
}

}  // namespace koila::inline v0::internal
