// SPDX-License-Identifier: MIT
#pragma once
// lstm_cell_memory: the cell state of an LSTM after one step.
#include <koila/ops/recurrent/recurrent.hpp>

namespace koila::inline v0::internal {

/// (n, in) x (n, hidden) x (n, hidden) x (4 * hidden, in) x (4 * hidden, hidden) x (4 * hidden) ->
/// (n, hidden): the cell state after one step from the hidden state h and the cell state c. The
/// bias is the sum of LibTorch's two biases and is optional.
inline constexpr struct lstm_cell_memory : detail::lstm_step<lstm_cell_memory> {
  static constexpr std::string_view name = "lstm_cell_memory";
  static constexpr auto state_of(const auto& state) { return state.c; }
} lstm_cell_memory;

}  // namespace koila::inline v0::internal
