// SPDX-License-Identifier: MIT
#pragma once
// Definitions of shrink_backward.hpp.
#include <koila/ops/common/elements.ipp>
#include <koila/ops/internal/shrink_backward.hpp>

#include <ATen/ops/hardshrink_backward_ops.h>

namespace koila::inline v0::internal {

void shrink_backward::evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const attributes& a) {
  at::_ops::hardshrink_backward_grad_input::call(dy, x, a.lambd.value, dx);
}
auto shrink_backward::elements() -> detail::all_elements {
  return detail::elements_of<struct shrink_backward, 2>([](auto zero, const attributes& a, auto loop) {
    using T = decltype(zero);
    loop([most = static_cast<T>(a.lambd.value)](auto dy, auto x) {
      return detail::choose((x >= -most) & (x <= most), T{}, dy);
    });
  });
}

}  // namespace koila::inline v0::internal
