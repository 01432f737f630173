// SPDX-License-Identifier: MIT
#pragma once
// mask_labels: sets the values of ignored samples to 0.
#include <koila/ops/loss/labels.hpp>

namespace koila::inline v0::internal {

/// (samples, ...) x int64 (samples, ...) -> (samples, ...): x, but 0 where the label is
/// ignore_index, even where x is NaN or infinite.
inline constexpr struct mask_labels : op<mask_labels, 2> {
  static constexpr std::string_view name = "mask_labels";
  using attributes = detail::label_attributes;
  static constexpr auto rule(const dims& x, const dims& label, const attributes&) -> verdict {
    if (label.type != dtype::unknown && label.type != dtype::int64) return reason::labels_are_not_integers;
    if (x.type != dtype::unknown && !is_floating(x.type)) return reason::not_a_floating_type;
    if (rules::same_shape(x, label) == detail::tristate::no) return reason::labels_are_not_one_per_sample;
    return rules::merged(x, label).with(x.type);
  }
  static constexpr auto flow(const value& x, const value& label, const dims& out, const attributes&) -> relations {
    const value in[] = {x, label};
    return flows::elementwise(in, 2, out);
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto cost(const dims& x, const dims& label, const dims& out) -> op_cost {
    return {0, static_cast<double>(x.bytes() + label.bytes() + out.bytes()), 0};
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& label, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto&, const auto& label, const attributes& a) {
    return gradients(mask_labels{}(dy, label, koila::ignore_index = a.ignore_index), no_gradient);
  }
} mask_labels;

}  // namespace koila::inline v0::internal
