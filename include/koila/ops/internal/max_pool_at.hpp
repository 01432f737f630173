// SPDX-License-Identifier: MIT
#pragma once
// max_pool_at: the elements of one operand at the positions of the other operand's window maxima.
#include <koila/ops/internal/max_pool_backward.hpp>

namespace koila::inline v0::internal {

/// (..., in...) x (..., in...) -> (..., out...): the operands are v and x. For each window, the
/// result is the element of v at the position of the maximum of x. If a window has several equal
/// maxima, the first of them counts. If a window has NaNs, the last NaN counts.
inline constexpr struct max_pool_at : detail::pool_kernel<max_pool_at> {
  static constexpr std::string_view name = "max_pool_at";
  static constexpr auto rule(const dims& v, const dims& x, const attributes& a) -> verdict {
    if (rules::same_shape(v, x) == detail::tristate::no) return reason::shapes_differ;
    if (v.type != dtype::unknown && x.type != dtype::unknown && v.type != x.type) return reason::dtypes_differ;
    return rules::pooled(rules::merged(v, x), a.pooling, false);
  }
  static constexpr auto flow(const value& v, const value& x, const dims& out, const attributes& a) -> relations {
    const value in[] = {v, x};
    return flows::planes(in, 2, a.pooling.n, out);
  }
  static constexpr auto cost(const dims& v, const dims& x, const dims& out) -> op_cost { return cost_of(v, x, out); }
  static void evaluate(at::Tensor& y, const at::Tensor& v, const at::Tensor& x, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto&, const auto& x, const attributes& a) {
    return gradients(max_pool_backward(dy, x, koila::detail::pooling = a.pooling), no_gradient);
  }
} max_pool_at;

}  // namespace koila::inline v0::internal
