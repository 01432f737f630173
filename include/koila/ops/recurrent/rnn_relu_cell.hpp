// SPDX-License-Identifier: MIT
#pragma once
// rnn_relu_cell: one step of a recurrent network.
#include <koila/ops/recurrent/recurrent.hpp>

namespace koila::inline v0 {

/// (n, in) x (n, hidden) x (hidden, in) x (hidden, hidden) x (hidden) -> (n, hidden): relu(x w_ih^T
/// + h w_hh^T + b). The bias is the sum of LibTorch's two biases and is optional.
inline constexpr struct rnn_relu_cell : detail::rnn_step<rnn_relu_cell> {
  static constexpr std::string_view name = "rnn_relu_cell";
  static constexpr auto activate(const auto& x) { return koila::relu(x); }
} rnn_relu_cell;

}  // namespace koila::inline v0
