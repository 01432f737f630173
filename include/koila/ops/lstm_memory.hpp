#pragma once
// lstm_memory: what the cell of an LSTM remembers after a whole sequence.
#include <koila/ops/family/recurrent.hpp>

namespace koila {

/// (time, n, in) x (n, hidden) x (n, hidden) x (4 hidden, in) x (4 hidden, hidden) x (4 hidden) -> (n, hidden): the cell state after
/// all steps of `lstm`, of the same operands. What both compute is computed once.
inline constexpr struct lstm_memory : op<lstm_memory, 5> {
  static constexpr std::string_view name = "lstm_memory";
  using attributes = sequence_attributes;
  static constexpr auto rule(const dims& x, const dims& h, const dims& c, const dims& w_ih, const dims& w_hh, const attributes&)
      -> verdict {
    return rules::last_step(rules::with_cell(rules::recurrent(true, x, h, w_ih, w_hh, 4), h, c));
  }
  static constexpr auto rule(const dims& x, const dims& h, const dims& c, const dims& w_ih, const dims& w_hh, const dims& b,
                             const attributes&) -> verdict {
    return rules::last_step(rules::with_cell(rules::recurrent(true, x, h, w_ih, w_hh, 4, b), h, c));
  }
  static constexpr auto expand(const auto& x, const auto& h, const auto& c, const auto& w_ih, const auto& w_hh,
                               const attributes& a) {
    return detail::lstm_over_time(linear(x, w_ih), dims_of(x)[0].n, {h, c}, w_hh, a.reverse.value).c;
  }
  static constexpr auto expand(const auto& x, const auto& h, const auto& c, const auto& w_ih, const auto& w_hh, const auto& b,
                               const attributes& a) {
    return detail::lstm_over_time(linear(x, w_ih, b), dims_of(x)[0].n, {h, c}, w_hh, a.reverse.value).c;
  }
} lstm_memory;

}  // namespace koila
