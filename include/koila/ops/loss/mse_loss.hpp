// SPDX-License-Identifier: MIT
#pragma once
// mse_loss: the squared error.
#include <koila/expr/let.hpp>
#include <koila/ops/loss/loss.hpp>
#include <koila/ops/pointwise/mul.hpp>

namespace koila::inline v0 {

/// (...) x (...) -> (), or (...) with kNone: (x - y)^2.
inline constexpr struct mse_loss : detail::loss_of_alike<mse_loss> {
  static constexpr std::string_view name = "mse_loss";
  static constexpr auto each(const auto& x, const auto& y, const attributes&) {
    const auto difference = let(detail::difference(x, y));
    return mul(difference, difference);
  }
} mse_loss;

}  // namespace koila::inline v0
