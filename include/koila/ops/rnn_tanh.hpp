#pragma once
// rnn_tanh: a recurrent network over a whole sequence.
#include <koila/ops/family/recurrent.hpp>

namespace koila {

/// (time, n, in) x (n, hidden) x (hidden, in) x (hidden, hidden) x (hidden) -> (time, n, hidden): the states of all steps, from h on,
/// each tanh(x w_ih^T + h w_hh^T + b); with reverse = true from the last step to the first. The bias may be left out.
inline constexpr struct rnn_tanh : op<rnn_tanh, 5> {
  static constexpr std::string_view name = "rnn_tanh";
  using attributes = sequence_attributes;
  static constexpr auto rule(const dims& x, const dims& h, const dims& w_ih, const dims& w_hh, const attributes&) -> verdict {
    return rules::recurrent(true, x, h, w_ih, w_hh, 1);
  }
  static constexpr auto rule(const dims& x, const dims& h, const dims& w_ih, const dims& w_hh, const dims& b, const attributes&)
      -> verdict {
    return rules::recurrent(true, x, h, w_ih, w_hh, 1, b);
  }
  static constexpr auto expand(const auto& x, const auto& h, const auto& w_ih, const auto& w_hh, const attributes& a) {
    return run(linear(x, w_ih), dims_of(x)[0].n, h, w_hh, a);
  }
  static constexpr auto expand(const auto& x, const auto& h, const auto& w_ih, const auto& w_hh, const auto& b,
                               const attributes& a) {
    return run(linear(x, w_ih, b), dims_of(x)[0].n, h, w_hh, a);
  }

 private:
  template <class X>
  static constexpr auto run(const X& xs, index_t steps, X s, const X& w_hh, const attributes& a) -> X {
    return detail::over_time(xs, steps, a.reverse.value,
                             [&](const X& step) { return s = detail::call<struct ops::tanh>(add(step, linear(s, w_hh))); });
  }
} rnn_tanh;

}  // namespace koila
