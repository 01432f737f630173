// SPDX-License-Identifier: MIT
#pragma once
// softplus: log(1 + e^x).
#include <koila/ops/common/element_math.hpp>
#include <koila/ops/internal/softplus_backward.hpp>

namespace koila::inline v0 {

/// (...) -> (...): log(1 + e^(beta * x)) / beta, or x itself where beta * x > threshold. By default
/// beta is 1 and threshold is 20. Floating-point values only.
inline constexpr struct softplus : detail::activation<softplus> {
  static constexpr std::string_view name = "softplus";
  using attributes = internal::softplus_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    return rules::holds(x.type, a.beta) && rules::holds(x.type, a.threshold) ? rules::of_floats(x)
                                                                             : verdict(reason::number_out_of_range);
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
  [[gnu::always_inline]] static void element(float, const attributes& a, auto loop) {
    const auto factor = static_cast<float>(a.beta.value), most = static_cast<float>(a.threshold.value);
    loop([=](float x) {
      const float scaled = x * factor, y = detail::softplus_of(scaled) / factor;
      return detail::choose(scaled > most, x, y);
    });
  }
  static auto elements() -> detail::float_elements;
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const attributes& a) {
    return gradients(detail::call_with<struct internal::softplus_backward>(a, dy, x));
  }
} softplus;

}  // namespace koila::inline v0
