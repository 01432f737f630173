// SPDX-License-Identifier: MIT
#pragma once
// Definitions of gelu_backward.hpp.
#include <koila/ops/common/elements.ipp>
#include <koila/ops/internal/gelu_backward.hpp>

#include <ATen/ops/gelu_backward_ops.h>

#include <algorithm>

namespace koila::inline v0::internal {

void gelu_backward::evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const attributes& a) {
  at::_ops::gelu_backward_grad_input::call(dy, x, a.by_tanh() ? "tanh" : "none", dx);
}
auto gelu_backward::elements() -> detail::float_elements {
  return detail::float_elements_of<struct gelu_backward, 2>([](float, const attributes& a, auto loop) {
    constexpr float c = 0.797884561F, k = 0.044715F;
    if (a.by_tanh())
      loop([](float dy, float x) {
        const float t = detail::tanh_of(c * (x + k * x * x * x)),
                    square = std::min(x * x, 1e30F);  // avoids 0 times infinity
        return dy * (0.5F * (1 + t) + 0.5F * x * ((1 - t * t) * (c + 3 * k * c * square)));
      });
    else loop([](float dy, float x) { return dy * detail::slope_of_gelu(x); });
  });
}

}  // namespace koila::inline v0::internal
