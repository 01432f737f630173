// SPDX-License-Identifier: MIT
#pragma once
// upsample: interpolation in every mode except area, which expands to average pooling.
#include <koila/ops/internal/upsample_backward.hpp>

namespace koila::inline v0::internal {

/// (samples, channels, in...) -> (samples, channels, out...): each element is a weighted sum of the
/// input elements nearest to it.
inline constexpr struct upsample : detail::pool_kernel<upsample> {
  static constexpr std::string_view name = "upsample";
  using attributes = detail::interpolation_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    return rules::interpolated(x, a.interpolation);
  }
  static constexpr auto flow(const value& x, const dims& out, const attributes&) -> relations {
    return flows::planes(&x, 1, out.rank - 2, out);
  }
  static constexpr auto cost(const dims& x, const dims& out) -> op_cost { return cost_of(x, {}, out); }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const attributes& a) {
    return gradients(upsample_backward(dy, x, koila::detail::interpolation = a.interpolation));
  }
} upsample;

}  // namespace koila::inline v0::internal
