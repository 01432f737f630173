#pragma once
// lstm_cell_memory: what the cell of an LSTM remembers after one step.
#include <koila/ops/family/recurrent.hpp>

namespace koila {

/// (n, in) x (n, hidden) x (n, hidden) x (4 hidden, in) x (4 hidden, hidden) x (4 hidden) -> (n, hidden): the cell state after one
/// step from (h, c); the bias, which is that of LibTorch's two added, may be left out.
inline constexpr struct lstm_cell_memory : op<lstm_cell_memory> {
  static constexpr std::string_view name = "lstm_cell_memory";
  static constexpr auto rule(const dims& x, const dims& h, const dims& c, const dims& w_ih, const dims& w_hh) -> verdict {
    return rules::with_cell(rules::recurrent(false, x, h, w_ih, w_hh, 4), h, c);
  }
  static constexpr auto rule(const dims& x, const dims& h, const dims& c, const dims& w_ih, const dims& w_hh, const dims& b)
      -> verdict {
    return rules::with_cell(rules::recurrent(false, x, h, w_ih, w_hh, 4, b), h, c);
  }
  static constexpr auto expand(const auto& x, const auto& h, const auto& c, const auto& w_ih, const auto& w_hh) {
    return detail::lstm_state{h, c}.next(add(linear(x, w_ih), linear(h, w_hh)), dims_of(h)[1].n).c;
  }
  static constexpr auto expand(const auto& x, const auto& h, const auto& c, const auto& w_ih, const auto& w_hh, const auto& b) {
    return detail::lstm_state{h, c}.next(add(linear(x, w_ih, b), linear(h, w_hh)), dims_of(h)[1].n).c;
  }
} lstm_cell_memory;

}  // namespace koila
