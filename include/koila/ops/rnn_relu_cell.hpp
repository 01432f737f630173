#pragma once
// rnn_relu_cell: one step of a recurrent network.
#include <koila/ops/family/recurrent.hpp>

namespace koila {

/// (n, in) x (n, hidden) x (hidden, in) x (hidden, hidden) x (hidden) -> (n, hidden): relu(x w_ih^T + h w_hh^T + b); the bias, which is
/// that of LibTorch's two added, may be left out.
inline constexpr struct rnn_relu_cell : op<rnn_relu_cell> {
  static constexpr std::string_view name = "rnn_relu_cell";
  static constexpr auto rule(const dims& x, const dims& h, const dims& w_ih, const dims& w_hh) -> verdict {
    return rules::recurrent(false, x, h, w_ih, w_hh, 1);
  }
  static constexpr auto rule(const dims& x, const dims& h, const dims& w_ih, const dims& w_hh, const dims& b) -> verdict {
    return rules::recurrent(false, x, h, w_ih, w_hh, 1, b);
  }
  static constexpr auto expand(const auto& x, const auto& h, const auto& w_ih, const auto& w_hh) {
    return relu(add(linear(x, w_ih), linear(h, w_hh)));
  }
  static constexpr auto expand(const auto& x, const auto& h, const auto& w_ih, const auto& w_hh, const auto& b) {
    return relu(add(linear(x, w_ih, b), linear(h, w_hh)));
  }
} rnn_relu_cell;

}  // namespace koila
