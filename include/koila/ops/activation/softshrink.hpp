// SPDX-License-Identifier: MIT
#pragma once
// softshrink: x moved towards 0 by a constant.
#include <koila/ops/common/element_math.hpp>
#include <koila/ops/internal/shrink_backward.hpp>

namespace koila::inline v0 {

/// (...) -> (...): x moved towards 0 by lambd, or 0 where |x| <= lambd. By default lambd is 0.5.
/// Floating-point values only.
inline constexpr struct softshrink : detail::activation<softshrink> {
  static constexpr std::string_view name = "softshrink";
  using attributes = internal::shrink_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (a.lambd.known && !(a.lambd.value >= 0)) return reason::size_out_of_range;
    if (!rules::holds(x.type, a.lambd) || (a.lambd.known && a.lambd.value - a.lambd.value != 0))
      return reason::number_out_of_range;
    return rules::of_floats(x);
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
  [[gnu::always_inline]] static void element(auto zero, const attributes& a, auto loop) {
    using T = decltype(zero);
    loop([by = static_cast<T>(a.lambd.value)](auto x) {
      return detail::choose(x > by, x - by, detail::choose(x < -by, x + by, x * T(0)));  // NaN stays NaN
    });
  }
  static auto elements() -> detail::all_elements;
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const attributes& a) {
    return gradients(detail::call_with<struct internal::shrink_backward>(a, dy, x));
  }
} softshrink;

}  // namespace koila::inline v0
