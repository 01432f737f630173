// SPDX-License-Identifier: MIT
#pragma once
// nll: the negative log-likelihood of each sample's class.
#include <koila/ops/internal/nll_backward.hpp>

namespace koila::inline v0::internal {

/// (samples, classes, ...) x int64 (samples, ...) -> (samples, ...), or (classes) x () -> ():
/// -x[label], or 0 where the label is ignore_index.
inline constexpr struct nll : op<nll, 2> {
  static constexpr std::string_view name = "nll";
  using attributes = detail::label_attributes;
  static constexpr auto rule(const dims& x, const dims& label, const attributes&) -> verdict {
    return rules::labelled(x, label, x.type);
  }
  static constexpr auto flow(const value& x, const value& label, const dims& out, const attributes&) -> relations {
    return flows::labelled(x, label, out);
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto cost(const dims& x, const dims& label, const dims& out) -> op_cost {
    return {static_cast<double>(out.count()),
            static_cast<double>(2 * out.bytes() + label.bytes()) + 0 * static_cast<double>(x.rank), 0};
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& label, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const auto& label, const attributes& a) {
    return gradients(nll_backward(dy, x, label, koila::ignore_index = a.ignore_index), no_gradient);
  }
} nll;

}  // namespace koila::inline v0::internal
