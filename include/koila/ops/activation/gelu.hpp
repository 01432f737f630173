// SPDX-License-Identifier: MIT
#pragma once
// gelu: x times the cumulative distribution function of the standard normal distribution.
#include <koila/ops/common/element_math.hpp>
#include <koila/ops/internal/gelu_backward.hpp>

namespace koila::inline v0 {

/// (...) -> (...): x times the cumulative distribution function of the standard normal distribution
/// at x, Hendrycks and Gimpel 2016. gelu(x, approximate = kTanh) uses the tanh approximation.
/// Floating-point only.
inline constexpr struct gelu : detail::activation<gelu> {
  static constexpr std::string_view name = "gelu";
  using attributes = internal::gelu_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (!a.expected()) return reason::not_an_expected_choice;
    return rules::of_floats(x);
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
  [[gnu::always_inline]] static void element(float, const attributes& a, auto loop) {
    constexpr float c = 0.797884561F, k = 0.044715F;
    if (a.by_tanh()) loop([](float x) { return 0.5F * x * (1 + detail::tanh_of(c * (x + k * x * x * x))); });
    else loop([](float x) { return 0.5F * x * (1 + detail::erf_of(x * 0.707106781F)); });
  }
  static auto elements() -> detail::float_elements;
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const attributes& a) {
    return gradients(detail::call_with<struct internal::gelu_backward>(a, dy, x));
  }
} gelu;

}  // namespace koila::inline v0
