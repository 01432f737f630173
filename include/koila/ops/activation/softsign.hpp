// SPDX-License-Identifier: MIT
#pragma once
// softsign: x / (1 + |x|).
#include <koila/ops/pointwise/abs.hpp>
#include <koila/ops/pointwise/add.hpp>
#include <koila/ops/pointwise/div.hpp>

namespace koila::inline v0 {

/// (...) -> (...): x / (1 + |x|). Integers become float32. Booleans are not allowed.
inline constexpr struct softsign : author::op<softsign, 1> {
  static constexpr std::string_view name = "softsign";
  static constexpr auto rule(const dims& x) -> verdict {
    if (x.type == dtype::boolean) return reason::no_rule_for_booleans;
    return x.with(rules::floating(x.type));
  }
  static constexpr auto expand(const auto& x) { return ops::div(x, add(ops::abs(x), 1)); }
} softsign;

}  // namespace koila::inline v0
