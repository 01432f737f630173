// SPDX-License-Identifier: MIT
#pragma once
// Definitions of elu_backward.hpp.
#include <koila/ops/common/elements.ipp>
#include <koila/ops/internal/elu_backward.hpp>

#include <ATen/ops/elu_backward_ops.h>

namespace koila::inline v0::internal {

void elu_backward::evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const attributes& a) {
  at::_ops::elu_backward_grad_input::call(dy, a.alpha.value, a.scale.value, a.input_scale.value, false, x, dx);
}
auto elu_backward::elements() -> detail::float_elements {
  return detail::float_elements_of<struct elu_backward, 2>([](float, const attributes& a, auto loop) {
    const auto scale = static_cast<float>(a.scale.value), inner = static_cast<float>(a.input_scale.value);
    const auto bent = static_cast<float>(a.alpha.value * a.scale.value * a.input_scale.value);
    loop([=](float dy, float x) { return dy * detail::choose(x <= 0.0F, bent * detail::exp_of(x * inner), scale); });
  });
}

}  // namespace koila::inline v0::internal
