// SPDX-License-Identifier: MIT
#pragma once
// relu6: x clamped to [0, 6].
#include <koila/ops/activation/hardtanh.hpp>

namespace koila::inline v0 {

/// (...) -> (...): x clamped to [0, 6]. Booleans are not allowed.
inline constexpr struct relu6 : author::op<relu6, 1> {
  static constexpr std::string_view name = "relu6";
  static constexpr auto rule(const dims& x) -> verdict {
    if (x.type == dtype::boolean) return reason::no_rule_for_booleans;
    return x;
  }
  static constexpr auto expand(const auto& x) { return hardtanh(x, 0, 6); }
} relu6;

}  // namespace koila::inline v0
