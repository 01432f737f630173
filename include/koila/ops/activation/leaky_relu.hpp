// SPDX-License-Identifier: MIT
#pragma once
// leaky_relu: x, or a small slope times x where x is negative, Maas et al. 2013.
#include <koila/ops/common/element_math.hpp>
#include <koila/ops/internal/leaky_relu_backward.hpp>

namespace koila::inline v0 {

/// (...) -> (...): x where x > 0, else x * negative_slope. negative_slope is 0.01 by default.
/// Floating-point only.
inline constexpr struct leaky_relu : detail::activation<leaky_relu> {
  static constexpr std::string_view name = "leaky_relu";
  using attributes = internal::leaky_relu_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    return rules::holds(x.type, a.negative_slope) ? rules::of_floats(x) : verdict(reason::number_out_of_range);
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
  [[gnu::always_inline]] static void element(auto zero, const attributes& a, auto loop) {
    loop([slope = static_cast<decltype(zero)>(a.negative_slope.value)](auto x) {
      return detail::choose(x > 0, x, x * slope);
    });
  }
  static auto elements() -> detail::all_elements;
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const attributes& a) {
    return gradients(detail::call_with<struct internal::leaky_relu_backward>(a, dy, x));
  }
} leaky_relu;

}  // namespace koila::inline v0
