// SPDX-License-Identifier: MIT
#pragma once
// pad_backward: the backward pass of pad.
#include <koila/ops/vision/padding.hpp>

namespace koila::inline v0 {

struct pad;

namespace internal {

/// (padded...) x (...) -> (...): adds each element of dy to the position from which pad copied the
/// corresponding element. Only the dims of the second operand are read.
inline constexpr struct pad_backward : op<pad_backward, 2> {
  static constexpr std::string_view name = "pad_backward";
  using attributes = detail::pad_attributes;
  static constexpr unsigned shape_only = 0b10;
  static constexpr auto rule(const dims& dy, const dims& x, const attributes& a) -> verdict {
    const verdict v = rules::padded(x, a);
    if (!v.accepted()) return v;
    if (rules::same_shape(dy, v.out) == detail::tristate::no) return reason::shapes_differ;
    if (dy.type != dtype::unknown && x.type != dtype::unknown && dy.type != x.type) return reason::dtypes_differ;
    return x;
  }
  static constexpr auto flow(const value& dy, const value& x, const dims& out, const attributes& a) -> relations {
    const value in[] = {dy, x};
    const batch_relation& r = x.batch_relation.sampled() ? x.batch_relation : dy.batch_relation;
    if (!r.sampled() || a.pads(r.axis, out.rank)) return flows::gather(in, 2, out);
    relations f;
    f.out = r;
    f.operand[0] = {need::rows, r};
    return f;
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto cost(const dims& dy, const dims&, const dims& out) -> op_cost {
    return detail::with_float32_sums(
        {static_cast<double>(dy.count()), static_cast<double>(dy.bytes() + 2 * out.bytes())}, out);
  }
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const attributes& a);
  static constexpr auto gradient(const auto& d, const auto&, const auto&, const auto&, const attributes& a) {
    return gradients(detail::call<struct pad>(d, a.padding, koila::mode = a.mode), no_gradient);
  }
} pad_backward;

}  // namespace internal

}  // namespace koila::inline v0

#include <koila/ops/vision/pad.hpp>
