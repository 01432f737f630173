// SPDX-License-Identifier: MIT
#pragma once
// Definitions of hardswish_backward.hpp.
#include <koila/ops/common/elements.ipp>
#include <koila/ops/internal/hardswish_backward.hpp>

#include <ATen/ops/hardswish_backward_ops.h>

namespace koila::inline v0::internal {

void hardswish_backward::evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x) {
  dx.copy_(at::_ops::hardswish_backward::call(dy, x));
}
auto hardswish_backward::elements() -> detail::all_elements {
  return detail::elements_of<struct hardswish_backward, 2>([](auto dy, auto x) {
    using T = decltype(x);
    const T bent = dy * (x / T(3) + T(0.5));
    return detail::choose(x <= T(-3), T{}, detail::choose(x < T(3), bent, dy));
  });
}

}  // namespace koila::inline v0::internal
