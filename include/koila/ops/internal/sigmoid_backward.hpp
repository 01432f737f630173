// SPDX-License-Identifier: MIT
#pragma once
// sigmoid_backward: the backward pass of sigmoid, from its result y.
#include <koila/ops/internal/sum_to.hpp>
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/sub.hpp>

namespace koila::inline v0::internal {

/// (...) x (...) -> (...): dy * y * (1 - y).
inline constexpr struct sigmoid_backward : binary<sigmoid_backward> {
  static constexpr std::string_view name = "sigmoid_backward";
  static constexpr bool takes_numbers = false;
  static constexpr auto rule(const dims& dy, const dims& y) -> verdict { return rules::slopes(dy, y); }
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& y);
  static auto elements() -> detail::all_elements;
  static constexpr auto gradient(const auto& d, const auto&, const auto& dy, const auto& y) {
    return gradients(sum_to(sigmoid_backward{}(d, y), dy), sum_to(mul(mul(d, dy), sub(1, mul(y, 2))), y));
  }
} sigmoid_backward;

}  // namespace koila::inline v0::internal
