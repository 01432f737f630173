// SPDX-License-Identifier: MIT
#pragma once
// leaky_relu_backward: the gradient of leaky_relu.
#include <koila/ops/activation/activation.hpp>

namespace koila::inline v0 {

namespace internal {

/// The attribute of leaky_relu, as in leaky_relu(x, 0.2) or leaky_relu(x, negative_slope = 0.2).
struct leaky_relu_attributes {
  static constexpr std::size_t positional = 1;
  attr<double> negative_slope = 0.01;
  constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, negative_slope); }
  friend constexpr auto operator==(const leaky_relu_attributes&, const leaky_relu_attributes&) -> bool = default;
};

/// (...) x (...) -> (...): dy where x > 0, else dy * negative_slope.
inline constexpr struct leaky_relu_backward : detail::straight_backward<leaky_relu_backward> {
  static constexpr std::string_view name = "leaky_relu_backward";
  using attributes = leaky_relu_attributes;
  static constexpr auto rule(const dims& dy, const dims& x, const attributes& a) -> verdict {
    const verdict v = rules::slopes(dy, x);
    return rules::holds(v.out.type, a.negative_slope) ? v : verdict(reason::number_out_of_range);
  }
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const attributes& a);
  static auto elements() -> detail::all_elements;
} leaky_relu_backward;

}  // namespace internal

}  // namespace koila::inline v0
