// SPDX-License-Identifier: MIT
#pragma once
// xlogx: x * log(x).
#include <koila/ops/common/element_math.hpp>
#include <koila/ops/pointwise/add.hpp>
#include <koila/ops/pointwise/div.hpp>
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/log.hpp>
#include <koila/ops/pointwise/mul.hpp>

namespace koila::inline v0::internal {

/// (...) -> (...): x * log(x), or 0 where x is 0. The gradient at 0 is NaN, like that of xlogy(x,
/// x) in LibTorch. Floating-point values only.
inline constexpr struct xlogx : detail::unary_activation<xlogx> {
  static constexpr std::string_view name = "xlogx";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  [[gnu::always_inline]] static auto element(float x) -> float {
    return detail::choose(x == 0.0F, 0.0F, x * detail::log_of(x));
  }
  static auto elements() -> detail::float_elements;
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) {
    return gradients(mul(dy, add(ops::log(x), ops::div(x, x))));
  }
} xlogx;

}  // namespace koila::inline v0::internal
