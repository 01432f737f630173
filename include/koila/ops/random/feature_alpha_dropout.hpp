// SPDX-License-Identifier: MIT
#pragma once
// feature_alpha_dropout: alpha_dropout of whole channels.
#include <koila/ops/random/dropout_base.hpp>

namespace koila::inline v0 {

/// (n, c, ...) -> (n, c, ...): alpha_dropout of whole channels of each sample.
inline constexpr struct feature_alpha_dropout : author::op<feature_alpha_dropout, 1> {
  static constexpr std::string_view name = "feature_alpha_dropout";
  using attributes = detail::dropout_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (x.ranked() && x.rank < 2) return reason::no_rule_for_these_ranks;
    return rules::dropout(x, a);
  }
  static constexpr auto expand(const auto& x, const attributes& a) { return detail::alpha_dropped(x, a, 2); }
} feature_alpha_dropout;

}  // namespace koila::inline v0
