// SPDX-License-Identifier: MIT
#pragma once
// Definitions of hardtanh_backward.hpp.
#include <koila/ops/common/elements.ipp>
#include <koila/ops/internal/hardtanh_backward.hpp>

#include <ATen/ops/hardtanh_backward_ops.h>

namespace koila::inline v0::internal {

void hardtanh_backward::evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const attributes& a) {
  at::_ops::hardtanh_backward_grad_input::call(dy, x, a.min_val.value, a.max_val.value, dx);
}
auto hardtanh_backward::elements() -> detail::all_elements {
  return detail::elements_of<struct hardtanh_backward, 2>([](auto zero, const attributes& a, auto loop) {
    using T = decltype(zero);
    const auto least = static_cast<T>(a.min_val.value), most = static_cast<T>(a.max_val.value);
    loop([=](auto dy, auto x) { return detail::choose((x <= least) | (x >= most), T{}, dy); });
  });
}

}  // namespace koila::inline v0::internal
