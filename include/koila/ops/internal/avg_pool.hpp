// SPDX-License-Identifier: MIT
#pragma once
// avg_pool: average pooling over any number of spatial dims, adaptive or not.
#include <koila/ops/internal/avg_pool_backward.hpp>

namespace koila::inline v0::internal {

/// (..., in...) -> (..., out...): the mean of each window. avg_pool2d and the other average pooling
/// ops expand to this op.
inline constexpr struct avg_pool : detail::pool_kernel<avg_pool> {
  static constexpr std::string_view name = "avg_pool";
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    return rules::pooled(x, a.pooling, true);
  }
  static constexpr auto flow(const value& x, const dims& out, const attributes& a) -> relations {
    return flows::planes(&x, 1, a.pooling.n, out);
  }
  static constexpr auto cost(const dims& x, const dims& out) -> op_cost { return cost_of(x, {}, out); }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const attributes& a) {
    return gradients(avg_pool_backward(dy, x, koila::detail::pooling = a.pooling));
  }
} avg_pool;

}  // namespace koila::inline v0::internal
