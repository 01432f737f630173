// SPDX-License-Identifier: MIT
#pragma once
// tanh_backward: the backward pass of tanh, from its result y.
#include <koila/ops/internal/sum_to.hpp>
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>

namespace koila::inline v0::internal {

/// (...) x (...) -> (...): dy * (1 - y^2).
inline constexpr struct tanh_backward : binary<tanh_backward> {
  static constexpr std::string_view name = "tanh_backward";
  static constexpr bool takes_numbers = false;
  static constexpr auto rule(const dims& dy, const dims& y) -> verdict { return rules::slopes(dy, y); }
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& y);
  static auto elements() -> detail::all_elements;
  static constexpr auto gradient(const auto& d, const auto&, const auto& dy, const auto& y) {
    return gradients(sum_to(tanh_backward{}(d, y), dy), sum_to(mul(mul(d, dy), mul(y, -2)), y));
  }
} tanh_backward;

}  // namespace koila::inline v0::internal
