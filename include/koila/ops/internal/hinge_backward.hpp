// SPDX-License-Identifier: MIT
#pragma once
// hinge_backward: the gradient of hinge.
#include <koila/ops/internal/sum_to.hpp>
#include <koila/ops/pointwise/elementwise.hpp>

namespace koila::inline v0::internal {

/// (...) x (...) -> (...): dy where x >= 0, else 0. The result is 0 where x is NaN.
inline constexpr struct hinge_backward : binary<hinge_backward> {
  static constexpr std::string_view name = "hinge_backward";
  static constexpr bool takes_numbers = false;
  static constexpr auto rule(const dims& dy, const dims& x) -> verdict { return rules::slopes(dy, x); }
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x);
  static constexpr auto gradient(const auto& d, const auto&, const auto& dy, const auto& x) {
    return gradients(sum_to(hinge_backward{}(d, x), dy), no_gradient);
  }
} hinge_backward;

}  // namespace koila::inline v0::internal
