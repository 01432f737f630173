// SPDX-License-Identifier: MIT
#pragma once
// max_pool_backward: the backward pass of max pooling.
#include <koila/ops/pooling/pooling.hpp>

namespace koila::inline v0::internal {

/// (..., out...) x (..., in...) -> (..., in...): adds each element of dy to the element of the
/// result at the position of the maximum of its window in x.
inline constexpr struct max_pool_backward : detail::pool_kernel<max_pool_backward> {
  static constexpr std::string_view name = "max_pool_backward";
  static constexpr auto rule(const dims& dy, const dims& x, const attributes& a) -> verdict {
    return rules::unpooled(dy, x, a.pooling, false);
  }
  static constexpr auto flow(const value& dy, const value& x, const dims& out, const attributes& a) -> relations {
    const value in[] = {dy, x};
    return flows::planes(in, 2, a.pooling.n, out);
  }
  static constexpr auto cost(const dims& dy, const dims& x, const dims& out) -> op_cost {
    return detail::with_float32_sums(cost_of(dy, x, out), out);
  }
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const attributes& a);
  static constexpr auto gradient(const auto& d, const auto&, const auto&, const auto& x, const attributes& a) {
    return gradients(detail::call<struct max_pool_at>(d, x, koila::detail::pooling = a.pooling), no_gradient);
  }
} max_pool_backward;

}  // namespace koila::inline v0::internal

#include <koila/ops/internal/max_pool_at.hpp>
