// SPDX-License-Identifier: MIT
#pragma once
// detach: the value without its gradient.
#include <koila/ops/pointwise/elementwise.hpp>

namespace koila::inline v0 {

/// (...) -> (...): a view of x, through which no gradient flows.
inline constexpr struct detach : author::op<detach, 1> {
  static constexpr std::string_view name = "detach";
  static constexpr bool pushes_gather = true, stops_gradient = true;
  static constexpr auto rule(const dims& x) -> verdict { return x; }
  static constexpr auto flow(const value& x, const dims& out) -> relations { return flows::elementwise(&x, 1, out); }
  static constexpr auto view_layout(layout operand_layout, const dims&, const detail::no_attributes&) -> layout {
    return operand_layout;
  }
  static void view(at::Tensor& y, const at::Tensor& x, const dims& to, const detail::no_attributes& a);
  static constexpr auto gradient(const auto&, const auto&, const auto&) { return gradients(no_gradient); }
} detach;

}  // namespace koila::inline v0
