// SPDX-License-Identifier: MIT
#pragma once
// floor_divide: the floor of a / b.
#include <koila/ops/pointwise/div.hpp>

namespace koila::inline v0 {

/// (...) x (...) -> (...), broadcast: the floor of a / b. Integers stay integers. Booleans are not
/// accepted.
inline constexpr struct floor_divide : author::binary<floor_divide> {
  static constexpr std::string_view name = "floor_divide";
  static constexpr auto rule(const dims& a, const dims& b) -> verdict {
    return ops::div.rule(a, b, detail::attributes_from<struct ops::div>(rounding_mode = kFloor));
  }
  static constexpr auto expand(const auto& a, const auto& b) { return ops::div(a, b, rounding_mode = kFloor); }
} floor_divide;

}  // namespace koila::inline v0
