// SPDX-License-Identifier: MIT
#pragma once
// upsample_backward: the backward pass of upsample.
#include <koila/ops/vision/interpolation.hpp>

namespace koila::inline v0::internal {

struct upsample;

/// (samples, channels, out...) x (samples, channels, in...) -> (samples, channels, in...): adds
/// each element of dy, times the weights of upsample, to the positions that upsample read for this
/// element. Only the dims of the last operand are read.
inline constexpr struct upsample_backward : detail::pool_kernel<upsample_backward> {
  static constexpr std::string_view name = "upsample_backward";
  using attributes = detail::interpolation_attributes;
  static constexpr unsigned shape_only = 0b10;
  static constexpr auto rule(const dims& dy, const dims& x, const attributes& a) -> verdict {
    const verdict v = rules::interpolated(x, a.interpolation);
    if (v.accepted() && rules::same_shape(v.out, dy) == detail::tristate::no) return reason::shapes_differ;
    if (v.accepted() && !rules::same_type(dy, x)) return reason::dtypes_differ;
    if (v.accepted() && !rules::may_float(dy.type)) return reason::not_a_floating_type;
    return v.accepted() ? verdict(x.with(dy.type)) : v;
  }
  static constexpr auto flow(const value& dy, const value&, const dims& out, const attributes&) -> relations {
    return flows::planes(&dy, 1, out.rank - 2, out);
  }
  static constexpr auto cost(const dims& dy, const dims&, const dims& out) -> op_cost {
    return detail::with_float32_sums(cost_of(dy, {}, out), out);
  }
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor&, const attributes& a);
  static constexpr auto gradient(const auto& d, const auto&, const auto&, const auto&, const attributes& a) {
    return gradients(detail::call<struct upsample>(d, koila::detail::interpolation = a.interpolation), no_gradient);
  }
} upsample_backward;

}  // namespace koila::inline v0::internal

#include <koila/ops/internal/upsample.hpp>
