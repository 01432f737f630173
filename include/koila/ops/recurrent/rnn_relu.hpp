// SPDX-License-Identifier: MIT
#pragma once
// rnn_relu: a recurrent network over a whole sequence.
#include <koila/ops/recurrent/rnn_relu_cell.hpp>

namespace koila::inline v0 {

/// (time, n, in) x (n, hidden) x (hidden, in) x (hidden, hidden) x (hidden) -> (time, n, hidden):
/// the states of all steps, starting from h. Each step computes h = relu(x w_ih^T + h w_hh^T + b).
/// With reverse = true, the sequence runs from the last step to the first. The bias is optional.
inline constexpr struct rnn_relu : detail::rnn_sequence<rnn_relu, struct rnn_relu_cell> {
  static constexpr std::string_view name = "rnn_relu";
} rnn_relu;

}  // namespace koila::inline v0
