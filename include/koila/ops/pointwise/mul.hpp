// SPDX-License-Identifier: MIT
#pragma once
// mul: a * b.
#include <koila/ops/internal/sum_to.hpp>
#include <koila/ops/pointwise/elementwise.hpp>

namespace koila::inline v0 {

/// (...) x (...) -> (...), broadcast: a * b.
inline constexpr struct mul : author::binary<mul> {
  static constexpr std::string_view name = "mul";
  static constexpr double identity_element = 1;
  static constexpr auto fold(double a, double b) -> double { return a * b; }
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b);
  [[gnu::always_inline]] static auto element(auto a, auto b) { return a * b; }
  static auto elements() -> detail::all_elements;
  static constexpr auto gradient(const auto& dy, const auto&, const auto& a, const auto& b) {
    return gradients(internal::sum_to(mul{}(dy, b), a), internal::sum_to(mul{}(dy, a), b));
  }
} mul;

}  // namespace koila::inline v0
