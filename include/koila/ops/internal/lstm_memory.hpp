// SPDX-License-Identifier: MIT
#pragma once
// lstm_memory: the cell state of an LSTM after a whole sequence.
#include <koila/ops/recurrent/recurrent.hpp>

namespace koila::inline v0::internal {

/// (time, n, in) x (n, hidden) x (n, hidden) x (4 * hidden, in) x (4 * hidden, hidden) x
/// (4 * hidden) -> (n, hidden): the cell state after all steps of `lstm` with the same
/// operands. A graph with both ops computes their common steps once.
inline constexpr struct lstm_memory : detail::lstm_sequence<lstm_memory> {
  static constexpr std::string_view name = "lstm_memory";
  static constexpr auto result(const verdict& all) -> verdict { return rules::last_step(all); }
  static constexpr auto state_of(const auto& state) { return state.c; }
} lstm_memory;

}  // namespace koila::inline v0::internal
