// SPDX-License-Identifier: MIT
#pragma once
// Definitions of threshold_backward.hpp.
#include <koila/ops/common/elements.ipp>
#include <koila/ops/internal/threshold_backward.hpp>

#include <ATen/ops/threshold_backward_ops.h>

namespace koila::inline v0::internal {

void threshold_backward::evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const attributes& a) {
  at::_ops::threshold_backward_grad_input::call(dy, x, a.threshold.value, dx);
}
auto threshold_backward::elements() -> detail::all_elements {
  return detail::elements_of<struct threshold_backward, 2>([](auto zero, const attributes& a, auto loop) {
    using T = decltype(zero);
    loop([at = static_cast<T>(a.threshold.value)](auto dy, auto x) { return x <= at ? T{} : dy; });
  });
}

}  // namespace koila::inline v0::internal
