// SPDX-License-Identifier: MIT
#pragma once
// sub: a - b.
#include <koila/ops/internal/sum_to.hpp>
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/neg.hpp>

namespace koila::inline v0 {

/// (...) x (...) -> (...), broadcast: a - b. Booleans are not allowed.
inline constexpr struct sub : author::binary<sub> {
  static constexpr std::string_view name = "sub";
  static constexpr auto rule(const dims& a, const dims& b) -> verdict {
    if (a.type == dtype::boolean || b.type == dtype::boolean) return reason::no_rule_for_booleans;
    return rules::broadcast(a, b);
  }
  static constexpr auto fold(double a, double b) -> double { return a - b; }
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b);
  [[gnu::always_inline]] static auto element(auto a, auto b) { return a - b; }
  static auto elements() -> detail::all_elements;
  static constexpr auto gradient(const auto& dy, const auto&, const auto& a, const auto& b) {
    return gradients(internal::sum_to(dy, a), neg(internal::sum_to(dy, b)));
  }
} sub;

}  // namespace koila::inline v0
