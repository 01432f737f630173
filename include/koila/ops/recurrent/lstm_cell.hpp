// SPDX-License-Identifier: MIT
#pragma once
// lstm_cell: one step of an LSTM.
#include <koila/ops/recurrent/recurrent.hpp>

namespace koila::inline v0 {

/// (n, in) x (n, hidden) x (n, hidden) x (4 * hidden, in) x (4 * hidden, hidden) x (4 * hidden) ->
/// (n, hidden): the hidden state after one step from (h, c). The bias is the sum of LibTorch's two
/// biases and is optional.
inline constexpr struct lstm_cell : detail::lstm_step<lstm_cell> {
  static constexpr std::string_view name = "lstm_cell";
  static constexpr auto state_of(const auto& state) { return state.h; }
} lstm_cell;

}  // namespace koila::inline v0
