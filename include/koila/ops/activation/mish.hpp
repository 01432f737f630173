// SPDX-License-Identifier: MIT
#pragma once
// mish: x * tanh(softplus(x)), Misra 2019.
#include <koila/ops/activation/softplus.hpp>
#include <koila/ops/common/element_math.hpp>
#include <koila/ops/pointwise/add.hpp>
#include <koila/ops/pointwise/tanh.hpp>

namespace koila::inline v0 {

/// (...) -> (...): x * tanh(softplus(x)), Misra 2019. Floating-point values only.
inline constexpr struct mish : detail::activation<mish> {
  static constexpr std::string_view name = "mish";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  /// With e = exp(x), tanh(log(1 + e)) is e * (e + 2) / (e * (e + 2) + 2). In float32 this quotient
  /// is 1 for x >= 20.
  [[gnu::always_inline]] static auto element(float x) -> float {
    const float e = detail::exp_of(detail::choose(x > 20.0F, 20.0F, x)), n = e * (e + 2.0F);
    return x * (n / (n + 2.0F));
  }
  static auto elements() -> detail::float_elements;
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) {
    const auto t = ops::tanh(softplus(x));
    return gradients(dy * (t + x * sigmoid(x) * (1 - t * t)));
  }
} mish;

}  // namespace koila::inline v0
