// SPDX-License-Identifier: MIT
#pragma once
// gru_cell: one step of a GRU.
#include <koila/ops/recurrent/recurrent.hpp>

namespace koila::inline v0 {

/// (n, in) x (n, hidden) x (3 * hidden, in) x (3 * hidden, hidden) x (3 * hidden) x (3 * hidden) ->
/// (n, hidden): the hidden state after one step. The two biases, one for the product with the input
/// and one for the product with the state, are optional.
inline constexpr struct gru_cell : author::op<gru_cell> {
  static constexpr std::string_view name = "gru_cell";
  static constexpr auto rule(const dims& x, const dims& h, const dims& w_ih, const dims& w_hh) -> verdict {
    return rules::recurrent(false, x, h, w_ih, w_hh, 3);
  }
  static constexpr auto rule(const dims& x, const dims& h, const dims& w_ih, const dims& w_hh, const dims& b_ih,
                             const dims& b_hh) -> verdict {
    return rules::recurrent(false, x, h, w_ih, w_hh, 3, b_ih, b_hh);
  }
  static constexpr auto expand(const auto& x, const auto& h, const auto& w_ih, const auto& w_hh) {
    return detail::gru_next(linear(x, w_ih), linear(h, w_hh), h, dims_of(h)[1].n);
  }
  static constexpr auto expand(const auto& x, const auto& h, const auto& w_ih, const auto& w_hh, const auto& b_ih,
                               const auto& b_hh) {
    return detail::gru_next(linear(x, w_ih, b_ih), linear(h, w_hh, b_hh), h, dims_of(h)[1].n);
  }
} gru_cell;

}  // namespace koila::inline v0
