// SPDX-License-Identifier: MIT
#pragma once
// count_labels: the number of labels that are not ignored.
#include <koila/ops/loss/labels.hpp>

namespace koila::inline v0::internal {

/// int64 (samples, ...) x (samples, classes, ...) -> (): the number of labels that are not
/// ignore_index, in the dtype of x. Only the dims of x are read.
inline constexpr struct count_labels : op<count_labels, 2> {
  static constexpr std::string_view name = "count_labels";
  using attributes = detail::label_attributes;
  static constexpr unsigned shape_only = 0b10;
  static constexpr auto rule(const dims& label, const dims& x, const attributes&) -> verdict {
    const verdict v = rules::labelled(x, label, x.type);
    return v.accepted() ? verdict(scalar(x.type)) : v;
  }
  static constexpr auto flow(const value& label, const value&, const dims&, const attributes&) -> relations {
    relations f;
    if (label.batch_relation.sampled()) f.out = partial(monoid::sum);
    return f;
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto cost(const dims& label, const dims&, const dims&) -> op_cost {
    return {static_cast<double>(label.count()), static_cast<double>(label.bytes()), 0};
  }
  static void evaluate(at::Tensor& y, const at::Tensor& label, const at::Tensor& x, const attributes& a);
} count_labels;

}  // namespace koila::inline v0::internal
