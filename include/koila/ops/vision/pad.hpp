// SPDX-License-Identifier: MIT
#pragma once
// pad: adds elements around a value.
#include <koila/ops/internal/pad_backward.hpp>

namespace koila::inline v0 {

/// (..., n, m) -> (..., n + before + after, m + before + after): adds elements around x, as in
/// pad(x, list_of(1_c, 1_c, 2_c, 0_c)). The list holds the numbers of elements before and after the
/// last dim, then before and after the second-last dim, and so on. The op takes mode = kConstant,
/// kReflect, kReplicate or kCircular, and fill_value.
inline constexpr struct pad : author::op<pad, 1> {
  static constexpr std::string_view name = "pad";
  using attributes = detail::pad_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict { return rules::padded(x, a); }
  static constexpr auto flow(const value& x, const dims& out, const attributes& a) -> relations {
    return flows::moved(x, x.batch_relation.sampled() && a.pads(x.batch_relation.axis, out.rank), out);
  }
  static constexpr auto is_noop(const dims& x, const attributes& a) -> bool {
    for (int d = 0; d < x.rank; ++d)
      if (a.pads(d, x.rank)) return false;
    return true;
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto cost(const dims& x, const dims& out) -> op_cost {
    return {0, static_cast<double>(x.bytes() + out.bytes()), 0};
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const attributes& a) {
    return gradients(internal::pad_backward(dy, x, a.padding, koila::mode = a.mode));
  }
} pad;

}  // namespace koila::inline v0
