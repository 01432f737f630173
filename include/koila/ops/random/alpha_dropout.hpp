// SPDX-License-Identifier: MIT
#pragma once
// alpha_dropout: the dropout for networks with selu activations.
#include <koila/ops/random/dropout_base.hpp>

namespace koila::inline v0 {

/// (...) -> (...): sets random elements to the value of selu at minus infinity, then scales and
/// shifts all elements so that mean and variance are preserved.
inline constexpr struct alpha_dropout : author::op<alpha_dropout, 1> {
  static constexpr std::string_view name = "alpha_dropout";
  using attributes = detail::dropout_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict { return rules::dropout(x, a); }
  static constexpr auto expand(const auto& x, const attributes& a) { return detail::alpha_dropped(x, a); }
} alpha_dropout;

}  // namespace koila::inline v0
