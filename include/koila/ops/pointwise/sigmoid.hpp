// SPDX-License-Identifier: MIT
#pragma once
// sigmoid: 1 / (1 + exp(-x)).
#include <koila/ops/common/element_math.hpp>
#include <koila/ops/internal/sigmoid_backward.hpp>
#include <koila/ops/pointwise/elementwise.hpp>

namespace koila::inline v0 {

/// (...) -> (...): 1 / (1 + exp(-x)). Integers become float32.
inline constexpr struct sigmoid : author::unary_floating<sigmoid> {
  static constexpr std::string_view name = "sigmoid";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  [[gnu::always_inline]] static auto element(float x) -> float { return detail::sigmoid_of(x); }
  static auto elements() -> detail::float_elements;
  static constexpr auto gradient(const auto& dy, const auto& y, const auto&) {
    return gradients(internal::sigmoid_backward(dy, y));
  }
} sigmoid;

}  // namespace koila::inline v0
