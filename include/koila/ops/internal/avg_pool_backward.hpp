// SPDX-License-Identifier: MIT
#pragma once
// avg_pool_backward: the gradient of average pooling.
#include <koila/ops/pooling/pooling.hpp>

namespace koila::inline v0::internal {

/// (..., out...) x (..., in...) -> (..., in...): divides each element of dy by the divisor of its
/// window and adds the quotient to all elements of the window. Only the dims of the last operand
/// are read.
inline constexpr struct avg_pool_backward : detail::pool_kernel<avg_pool_backward> {
  static constexpr std::string_view name = "avg_pool_backward";
  static constexpr unsigned shape_only = 0b10;
  static constexpr auto rule(const dims& dy, const dims& x, const attributes& a) -> verdict {
    return rules::unpooled(dy, x, a.pooling, true);
  }
  static constexpr auto flow(const value& dy, const value&, const dims& out, const attributes& a) -> relations {
    return flows::planes(&dy, 1, a.pooling.n, out);
  }
  static constexpr auto cost(const dims& dy, const dims&, const dims& out) -> op_cost {
    return detail::with_float32_sums(cost_of(dy, {}, out), out);
  }
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor&, const attributes& a);
  static constexpr auto gradient(const auto& d, const auto&, const auto&, const auto&, const attributes& a) {
    return gradients(detail::call<struct avg_pool>(d, koila::detail::pooling = a.pooling), no_gradient);
  }
} avg_pool_backward;

}  // namespace koila::inline v0::internal

#include <koila/ops/internal/avg_pool.hpp>
