// SPDX-License-Identifier: MIT
#pragma once
// softmax_cross_entropy: softmax and cross entropy in one pass.
#include <koila/ops/internal/softmax_cross_entropy_backward.hpp>

namespace koila::inline v0::internal {

/// (samples, classes) x int64 (samples) -> (samples), or (classes) x () -> (): log(sum(exp(x))) -
/// x[label], or 0 where the label is ignore_index. No probabilities are stored; the gradient
/// recomputes them.
inline constexpr struct softmax_cross_entropy : op<softmax_cross_entropy, 2> {
  static constexpr std::string_view name = "softmax_cross_entropy";
  using attributes = detail::label_attributes;
  static constexpr auto rule(const dims& x, const dims& label, const attributes&) -> verdict {
    return rules::labelled_rows(x, label);
  }
  static constexpr auto flow(const value& x, const value& label, const dims& out, const attributes&) -> relations {
    return flows::labelled(x, label, out);
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto cost(const dims& x, const dims& label, const dims& out) -> op_cost {
    return {4.0 * static_cast<double>(x.count()), static_cast<double>(x.bytes() + label.bytes() + out.bytes()), 0};
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& label, const attributes& a);
  /// If dy does not depend on y, as for a final loss, evaluate_both replaces the evaluation of both
  /// ops, so that koila's kernel computes the exponentials once.
  using pull_back = struct softmax_cross_entropy_backward;
  static void evaluate_both(at::Tensor& y, at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x,
                            const at::Tensor& label, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const auto& label, const attributes& a) {
    return gradients(softmax_cross_entropy_backward(dy, x, label, koila::ignore_index = a.ignore_index), no_gradient);
  }
} softmax_cross_entropy;

}  // namespace koila::inline v0::internal
