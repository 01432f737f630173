// SPDX-License-Identifier: MIT
#pragma once
// l1_loss: absolute differences.
#include <koila/ops/loss/loss.hpp>
#include <koila/ops/pointwise/abs.hpp>
#include <koila/ops/pointwise/sub.hpp>

namespace koila::inline v0 {

/// (...) x (...) -> (), or (...) with kNone: |x - y|.
inline constexpr struct l1_loss : detail::loss_of_alike<l1_loss> {
  static constexpr std::string_view name = "l1_loss";
  static constexpr auto each(const auto& x, const auto& y, const attributes&) { return ops::abs(sub(x, y)); }
} l1_loss;

}  // namespace koila::inline v0
