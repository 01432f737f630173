// SPDX-License-Identifier: MIT
#pragma once
// maximum: the larger of a and b.
#include <koila/ops/common/element_math.hpp>
#include <koila/ops/pointwise/maximum_base.hpp>

namespace koila::inline v0 {

/// (...) x (...) -> (...), broadcast: the larger of a and b, or NaN where one operand is NaN.
inline constexpr struct maximum : author::binary<maximum> {
  static constexpr std::string_view name = "maximum";
  static constexpr auto fold(double a, double b) -> double { return a < b || b != b ? b : a; }
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b);
  [[gnu::always_inline]] static auto element(auto a, auto b) { return detail::choose((a != a) | (a > b), a, b); }
  static auto elements() -> detail::all_elements;
  static constexpr auto gradient(const auto& dy, const auto&, const auto& a, const auto& b) {
    return gradients(detail::taken_unless_less(dy, a, b, a), detail::taken_unless_less(dy, b, a, b));
  }
} maximum;

}  // namespace koila::inline v0
