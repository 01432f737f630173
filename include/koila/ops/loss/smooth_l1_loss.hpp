// SPDX-License-Identifier: MIT
#pragma once
// smooth_l1_loss: the absolute error, or the squared error where the error is small.
#include <koila/ops/internal/abs_difference.hpp>
#include <koila/ops/loss/huber_loss.hpp>

namespace koila::inline v0 {

namespace detail {

/// The attributes of smooth_l1_loss, namely `beta` (1 by default) and the reduction.
struct smooth_l1_attributes : loss_attributes {
  attr<double> beta = 1;
  friend constexpr auto operator==(const smooth_l1_attributes&, const smooth_l1_attributes&) -> bool = default;
};

}  // namespace detail

/// (...) x (...) -> (), or (...) with kNone: let d = x - y; the loss is d^2 / (2 * beta) where |d|
/// < beta, else |d| - beta / 2. With beta = 0, the slope at x = y is -1 with respect to either
/// operand, as in LibTorch.
inline constexpr struct smooth_l1_loss : detail::loss_of_alike<smooth_l1_loss, detail::smooth_l1_attributes> {
  static constexpr std::string_view name = "smooth_l1_loss";
  static constexpr auto rule(const dims& x, const dims& y, const attributes& a) -> verdict {
    if (a.beta.known && !(a.beta.value >= 0)) return reason::size_out_of_range;
    return rules::reduced(rules::equal_dims(x, y), a.reduction);
  }
  static constexpr auto each(const auto& x, const auto& y, const attributes& a) {
    return a.beta.value == 0 ? internal::abs_difference(x, y)
                             : mul(detail::huber(detail::difference(x, y), a.beta.value), 1 / a.beta.value);
  }
} smooth_l1_loss;

}  // namespace koila::inline v0
