// SPDX-License-Identifier: MIT
#pragma once
// hinge: max(x, 0), with the gradient of LibTorch's losses.
#include <koila/ops/internal/hinge_backward.hpp>
#include <koila/ops/pointwise/elementwise.hpp>

namespace koila::inline v0::internal {

/// (...) -> (...): max(x, 0). The slope at x = 0 is 1, while the slope of relu at x = 0 is 0.
/// LibTorch's losses use slope 1 for a margin that is met exactly.
inline constexpr struct hinge : detail::unary_activation<hinge> {
  static constexpr std::string_view name = "hinge";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) {
    return gradients(hinge_backward(dy, x));
  }
} hinge;

}  // namespace koila::inline v0::internal
