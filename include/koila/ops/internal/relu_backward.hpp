// SPDX-License-Identifier: MIT
#pragma once
// relu_backward: dy where y is positive.
#include <koila/ops/internal/sum_to.hpp>
#include <koila/ops/pointwise/elementwise.hpp>

namespace koila::inline v0::internal {

/// (...) x (...) -> (...): dy where y > 0, else 0.
inline constexpr struct relu_backward : binary<relu_backward> {
  static constexpr std::string_view name = "relu_backward";
  static constexpr bool takes_numbers = false;
  static constexpr auto rule(const dims& dy, const dims& y) -> verdict {
    const verdict v = rules::broadcast(dy, y);
    return v.out.type == dtype::boolean ? verdict(reason::no_rule_for_booleans) : v;
  }
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& y);
  static auto elements() -> detail::all_elements;
  static constexpr auto gradient(const auto& d, const auto&, const auto& dy, const auto& y) {
    return gradients(sum_to(relu_backward{}(d, y), dy), no_gradient);
  }
} relu_backward;

}  // namespace koila::inline v0::internal
