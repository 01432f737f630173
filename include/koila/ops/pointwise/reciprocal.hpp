// SPDX-License-Identifier: MIT
#pragma once
// reciprocal: 1 / x.
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/neg.hpp>
#include <koila/ops/pointwise/operators.hpp>

namespace koila::inline v0 {

/// (...) -> (...): 1 / x. Integers become float32.
inline constexpr struct reciprocal : author::unary_floating<reciprocal> {
  static constexpr std::string_view name = "reciprocal";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  [[gnu::always_inline]] static auto element(auto x) { return 1 / x; }
  static auto elements() -> detail::all_elements;
  static constexpr auto gradient(const auto& dy, const auto& y, const auto&) { return gradients(-(dy * (y * y))); }
} reciprocal;

}  // namespace koila::inline v0
