// SPDX-License-Identifier: MIT
#pragma once
// rnn_tanh: a recurrent network over a whole sequence.
#include <koila/ops/recurrent/rnn_tanh_cell.hpp>

namespace koila::inline v0 {

/// (time, n, in) x (n, hidden) x (hidden, in) x (hidden, hidden) x (hidden) -> (time, n, hidden):
/// the states of all steps, starting from h. Each step computes h = tanh(x w_ih^T + h w_hh^T + b).
/// With reverse = true, the sequence runs from the last step to the first. The bias is optional.
inline constexpr struct rnn_tanh : detail::rnn_sequence<rnn_tanh, struct rnn_tanh_cell> {
  static constexpr std::string_view name = "rnn_tanh";
} rnn_tanh;

}  // namespace koila::inline v0
