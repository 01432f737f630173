#pragma once
// gru: a gated recurrent unit over a whole sequence.
#include <koila/ops/family/recurrent.hpp>

namespace koila {

/// (time, n, in) x (n, hidden) x (3 hidden, in) x (3 hidden, hidden) x (3 hidden) x (3 hidden) -> (time, n, hidden): the states of all
/// steps, from h on; with reverse = true from the last step to the first. The biases may be left out.
inline constexpr struct gru : op<gru, 5> {
  static constexpr std::string_view name = "gru";
  using attributes = sequence_attributes;
  static constexpr auto rule(const dims& x, const dims& h, const dims& w_ih, const dims& w_hh, const attributes&) -> verdict {
    return rules::recurrent(true, x, h, w_ih, w_hh, 3);
  }
  static constexpr auto rule(const dims& x, const dims& h, const dims& w_ih, const dims& w_hh, const dims& b_ih,
                             const dims& b_hh, const attributes&) -> verdict {
    return rules::recurrent(true, x, h, w_ih, w_hh, 3, b_ih, b_hh);
  }
  static constexpr auto expand(const auto& x, const auto& h, const auto& w_ih, const auto& w_hh, const attributes& a) {
    auto s = h;
    return detail::over_time(linear(x, w_ih), dims_of(x)[0].n, a.reverse.value, [&](const auto& step) {
      return s = detail::gru_next(step, linear(s, w_hh), s, dims_of(w_hh)[1].n);
    });
  }
  static constexpr auto expand(const auto& x, const auto& h, const auto& w_ih, const auto& w_hh, const auto& b_ih,
                               const auto& b_hh, const attributes& a) {
    auto s = h;
    return detail::over_time(linear(x, w_ih, b_ih), dims_of(x)[0].n, a.reverse.value, [&](const auto& step) {
      return s = detail::gru_next(step, linear(s, w_hh, b_hh), s, dims_of(w_hh)[1].n);
    });
  }
} gru;

}  // namespace koila
