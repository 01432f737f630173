// SPDX-License-Identifier: MIT
#pragma once
// label_weights_backward: the gradient of label_weights.
#include <koila/ops/loss/labels.hpp>

namespace koila::inline v0::internal {

struct label_weights;

/// (samples, ...) x int64 (samples, ...) x (classes) -> (classes): the sum of dy over the samples
/// of each class. Only the dims of the weights are read.
inline constexpr struct label_weights_backward : op<label_weights_backward> {
  static constexpr std::string_view name = "label_weights_backward";
  using attributes = detail::label_attributes;
  static constexpr unsigned shape_only = 0b100;
  static constexpr auto rule(const dims& dy, const dims& label, const dims& weight, const attributes&) -> verdict {
    if (label.type != dtype::unknown && label.type != dtype::int64) return reason::labels_are_not_integers;
    if (weight.type != dtype::unknown && !is_floating(weight.type)) return reason::not_a_floating_type;
    if (weight.ranked() && weight.rank != 1) return reason::weight_is_not_per_channel;
    if (rules::same_shape(dy, label) == detail::tristate::no) return reason::labels_are_not_one_per_sample;
    if (dy.type != dtype::unknown && weight.type != dtype::unknown && dy.type != weight.type)
      return reason::dtypes_differ;
    return weight;
  }
  static constexpr auto flow(const value& dy, const value& label, const value&, const dims&, const attributes&)
      -> relations {
    relations f;
    const batch_relation& r = label.batch_relation.sampled() ? label.batch_relation : dy.batch_relation;
    if (r.sampled()) {
      f.out = partial(monoid::sum);
      f.operand[0] = f.operand[1] = {need::rows, r};
    }
    return f;
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto cost(const dims& dy, const dims& label, const dims&, const dims& out) -> op_cost {
    return {static_cast<double>(dy.count()), static_cast<double>(dy.bytes() + label.bytes() + out.bytes()), 0};
  }
  static void evaluate(at::Tensor& dweight, const at::Tensor& dy, const at::Tensor& label, const at::Tensor&,
                       const attributes& a);
  static constexpr auto gradient(const auto& d, const auto&, const auto&, const auto& label, const auto&,
                                 const attributes& a) {
    return gradients(detail::call<struct label_weights>(label, d, koila::ignore_index = a.ignore_index), no_gradient,
                     no_gradient);
  }
} label_weights_backward;

}  // namespace koila::inline v0::internal

#include <koila/ops/internal/label_weights.hpp>
