// SPDX-License-Identifier: MIT
#pragma once
// hardsigmoid_backward: the gradient of hardsigmoid.
#include <koila/ops/activation/activation.hpp>

namespace koila::inline v0::internal {

/// (...) x (...) -> (...): dy / 6 where -3 < x < 3, else 0. The result is 0 where x is NaN.
inline constexpr struct hardsigmoid_backward : binary<hardsigmoid_backward> {
  static constexpr std::string_view name = "hardsigmoid_backward";
  static constexpr bool takes_numbers = false;
  static constexpr auto rule(const dims& dy, const dims& x) -> verdict { return rules::slopes(dy, x); }
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x);
  static auto elements() -> detail::all_elements;
  static constexpr auto gradient(const auto& d, const auto&, const auto& dy, const auto& x) {
    return gradients(sum_to(hardsigmoid_backward{}(d, x), dy), no_gradient);
  }
} hardsigmoid_backward;

}  // namespace koila::inline v0::internal
