// SPDX-License-Identifier: MIT
#pragma once
// hardswish: x * hardsigmoid(x), Howard et al. 2019.
#include <koila/ops/common/element_math.hpp>
#include <koila/ops/internal/hardswish_backward.hpp>

namespace koila::inline v0 {

/// (...) -> (...): x * hardsigmoid(x), Howard et al. 2019. Floating-point only.
inline constexpr struct hardswish : detail::activation<hardswish> {
  static constexpr std::string_view name = "hardswish";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  [[gnu::always_inline]] static auto element(auto x) {
    using T = decltype(x);
    const T y = x + T(3), low = detail::choose(y < T(0), T(0), y);  // NaN stays
    return x * detail::choose(low > T(6), T(6), low) / T(6);
  }
  static auto elements() -> detail::all_elements;
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) {
    return gradients(internal::hardswish_backward(dy, x));
  }
} hardswish;

}  // namespace koila::inline v0
