// SPDX-License-Identifier: MIT
#pragma once
// square: x * x.
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/operators.hpp>

namespace koila::inline v0 {

/// (...) -> (...): x * x.
inline constexpr struct square : author::unary<square> {
  static constexpr std::string_view name = "square";
  static constexpr auto rule(const dims& x) -> verdict { return x.with(x.type == dtype::boolean ? int64 : x.type); }
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  [[gnu::always_inline]] static auto element(auto x) { return x * x; }
  static auto elements() -> detail::all_elements;
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) { return gradients(dy * (x * 2)); }
} square;

}  // namespace koila::inline v0
