// SPDX-License-Identifier: MIT
#pragma once
// dropout: sets random elements to zero.
#include <koila/ops/random/dropout_base.hpp>

namespace koila::inline v0 {

/// (...) -> (...): 0 with probability p, else x / (1 - p). The gradient is 0 at the dropped
/// elements. Which elements are dropped does not depend on how the batch is cut into chunks.
inline constexpr struct dropout : author::op<dropout, 1> {
  static constexpr std::string_view name = "dropout";
  using attributes = detail::dropout_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict { return rules::dropout(x, a); }
  static constexpr auto expand(const auto& x, const attributes& a) { return detail::dropped(x, a); }
} dropout;

}  // namespace koila::inline v0
