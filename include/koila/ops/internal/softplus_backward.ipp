// SPDX-License-Identifier: MIT
#pragma once
// Definitions of softplus_backward.hpp.
#include <koila/ops/common/elements.ipp>
#include <koila/ops/internal/softplus_backward.hpp>

#include <ATen/ops/softplus_backward_ops.h>

namespace koila::inline v0::internal {

void softplus_backward::evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const attributes& a) {
  at::_ops::softplus_backward_grad_input::call(dy, x, a.beta.value, a.threshold.value, dx);
}
auto softplus_backward::elements() -> detail::float_elements {
  return detail::float_elements_of<struct softplus_backward, 2>([](float, const attributes& a, auto loop) {
    const auto beta = static_cast<float>(a.beta.value), most = static_cast<float>(a.threshold.value);
    loop([=](float dy, float x) {
      const float scaled = x * beta, y = dy * detail::sigmoid_of(scaled);
      return scaled > most ? dy : y;
    });
  });
}

}  // namespace koila::inline v0::internal
