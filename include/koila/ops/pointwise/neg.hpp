// SPDX-License-Identifier: MIT
#pragma once
// neg: -x.
#include <koila/ops/pointwise/elementwise.hpp>

namespace koila::inline v0 {

/// (...) -> (...): -x. Booleans are not allowed.
inline constexpr struct neg : author::unary_number<neg> {
  static constexpr std::string_view name = "neg";
  static constexpr auto fold(double x) -> double { return -x; }
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  [[gnu::always_inline]] static auto element(auto x) { return -x; }
  static auto elements() -> detail::all_elements;
  static constexpr auto gradient(const auto& dy, const auto&, const auto&) { return gradients(neg{}(dy)); }
} neg;

/// Another name for neg, as in LibTorch.
inline constexpr const auto& negative = neg;

}  // namespace koila::inline v0
