// SPDX-License-Identifier: MIT
#pragma once
// frac: the fractional part of x.
#include <koila/ops/pointwise/elementwise.hpp>

namespace koila::inline v0 {

/// (...) -> (...): x - trunc(x), the fractional part of x. Floating-point only.
inline constexpr struct frac : detail::unary_activation<frac> {
  static constexpr std::string_view name = "frac";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  static constexpr auto gradient(const auto& dy, const auto&, const auto&) { return gradients(dy); }
} frac;

}  // namespace koila::inline v0
