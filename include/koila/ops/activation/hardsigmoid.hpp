// SPDX-License-Identifier: MIT
#pragma once
// hardsigmoid: a piecewise linear sigmoid.
#include <koila/ops/common/element_math.hpp>
#include <koila/ops/internal/hardsigmoid_backward.hpp>

namespace koila::inline v0 {

/// (...) -> (...): x / 6 + 1 / 2, limited to [0, 1]. Floating-point only.
inline constexpr struct hardsigmoid : detail::activation<hardsigmoid> {
  static constexpr std::string_view name = "hardsigmoid";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  [[gnu::always_inline]] static auto element(auto x) {
    using T = decltype(x);
    const T y = x + T(3), low = detail::choose(y < T(0), T(0), y);  // NaN stays
    return detail::choose(low > T(6), T(6), low) / T(6);
  }
  static auto elements() -> detail::all_elements;
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) {
    return gradients(internal::hardsigmoid_backward(dy, x));
  }
} hardsigmoid;

}  // namespace koila::inline v0
