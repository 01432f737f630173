// SPDX-License-Identifier: MIT
#pragma once
// true_divide: another name for a / b.
#include <koila/ops/pointwise/div.hpp>

namespace koila::inline v0 {

/// (...) x (...) -> (...), broadcast: a / b. Integers become float32.
inline constexpr struct true_divide : author::binary<true_divide> {
  static constexpr std::string_view name = "true_divide";
  static constexpr auto rule(const dims& a, const dims& b) -> verdict { return ops::div.rule(a, b, {}); }
  static constexpr auto expand(const auto& a, const auto& b) { return ops::div(a, b); }
} true_divide;

}  // namespace koila::inline v0
