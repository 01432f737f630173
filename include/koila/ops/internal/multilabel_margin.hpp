// SPDX-License-Identifier: MIT
#pragma once
// multilabel_margin: the multilabel_margin_loss of each sample.
#include <koila/ops/internal/multilabel_margin_backward.hpp>

namespace koila::inline v0::internal {

/// (samples, classes) x int64 (samples, classes) -> (samples), or (classes) x int64 (classes) ->
/// (): the sum of max(0, 1 - x[j] + x[k]) over all j in the target and all classes k that are not
/// in the target, divided by the number of classes. The target ends at the first -1. Only float32
/// and float64, because LibTorch has no kernels for 16 bits.
inline constexpr struct multilabel_margin : op<multilabel_margin, 2> {
  static constexpr std::string_view name = "multilabel_margin";
  static constexpr auto rule(const dims& x, const dims& target) -> verdict {
    if (detail::accumulator_of(x.type) != x.type) return reason::no_rule_for_these_dtypes;
    return rules::multilabelled(x, target);
  }
  static constexpr auto flow(const value& x, const value& target, const dims& out) -> relations {
    const value in[] = {x, target};
    return flows::beside(in, 2, x.dims.rank - 1, out);
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  /// The workspace holds a mask in the dtype of x, and a number of type int64.
  static constexpr auto cost(const dims& x, const dims& target, const dims& out) -> op_cost {
    const index_t classes = x[-1].n;
    return {2 * static_cast<double>(x.count() * classes),
            static_cast<double>(2 * x.bytes() + 2 * target.bytes() + out.bytes()),
            x.count() == 0 ? 0 : x.bytes() + detail::bytes_of(dtype::int64)};
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& target);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const auto& target) {
    return gradients(multilabel_margin_backward(dy, x, target), no_gradient);
  }
} multilabel_margin;

}  // namespace koila::inline v0::internal
