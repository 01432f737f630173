// SPDX-License-Identifier: MIT
#pragma once
// label_weights: the weight of each sample's class.
#include <koila/ops/internal/label_weights_backward.hpp>

namespace koila::inline v0::internal {

/// int64 (samples, ...) x (classes) -> (samples, ...): weight[label], or 0 where the label is
/// ignore_index.
inline constexpr struct label_weights : op<label_weights, 2> {
  static constexpr std::string_view name = "label_weights";
  using attributes = detail::label_attributes;
  static constexpr auto rule(const dims& label, const dims& weight, const attributes&) -> verdict {
    if (label.type != dtype::unknown && label.type != dtype::int64) return reason::labels_are_not_integers;
    if (weight.type != dtype::unknown && !is_floating(weight.type)) return reason::not_a_floating_type;
    if (weight.ranked() && weight.rank != 1) return reason::weight_is_not_per_channel;
    return label.with(weight.type);
  }
  static constexpr auto flow(const value& label, const value&, const dims&, const attributes&) -> relations {
    relations f;
    f.out = label.batch_relation;
    f.operand[1].kind = need::whole;
    return f;
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto cost(const dims& label, const dims&, const dims& out) -> op_cost {
    return {0, static_cast<double>(label.bytes() + 2 * out.bytes()), 0};
  }
  static void evaluate(at::Tensor& y, const at::Tensor& label, const at::Tensor& weight, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& label, const auto& weight,
                                 const attributes& a) {
    return gradients(no_gradient, label_weights_backward(dy, label, weight, koila::ignore_index = a.ignore_index));
  }
} label_weights;

}  // namespace koila::inline v0::internal
