// SPDX-License-Identifier: MIT
#pragma once
// positive: +x.
#include <koila/ops/pointwise/elementwise.hpp>

namespace koila::inline v0 {

/// (...) -> (...): x itself. Booleans are not allowed.
inline constexpr struct positive : author::unary_number<positive> {
  static constexpr std::string_view name = "positive";
  static constexpr auto expand(const auto& x) { return x; }
} positive;

}  // namespace koila::inline v0
