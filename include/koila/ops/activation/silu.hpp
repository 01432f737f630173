// SPDX-License-Identifier: MIT
#pragma once
// silu: x * sigmoid(x), Elfwing et al. 2017.
#include <koila/ops/activation/activation.hpp>
#include <koila/ops/common/element_math.hpp>
#include <koila/ops/pointwise/add.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/operators.hpp>
#include <koila/ops/pointwise/sigmoid.hpp>
#include <koila/ops/pointwise/sub.hpp>

namespace koila::inline v0 {

/// (...) -> (...): x * sigmoid(x), Elfwing et al. 2017. Floating-point values only.
inline constexpr struct silu : detail::activation<silu> {
  static constexpr std::string_view name = "silu";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  [[gnu::always_inline]] static auto element(float x) -> float { return detail::silu_of(x); }
  static auto elements() -> detail::float_elements;
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) {
    const auto s = sigmoid(x);
    return gradients(dy * (s * (1 + x * (1 - s))));
  }
} silu;

}  // namespace koila::inline v0
