// SPDX-License-Identifier: MIT
#pragma once
// gru: a gated recurrent unit over a whole sequence.
#include <koila/ops/recurrent/recurrent.hpp>

namespace koila::inline v0 {

/// (time, n, in) x (n, hidden) x (3 * hidden, in) x (3 * hidden, hidden) x (3 * hidden) x (3 *
/// hidden) -> (time, n, hidden): the hidden states of all steps, starting from h. With reverse =
/// true, the sequence runs from the last step to the first. The two biases are optional.
inline constexpr struct gru : author::op<gru, 5> {
  static constexpr std::string_view name = "gru";
  using attributes = detail::sequence_attributes;
  static constexpr auto rule(const dims& x, const dims& h, const dims& w_ih, const dims& w_hh, const attributes&)
      -> verdict {
    return rules::recurrent(true, x, h, w_ih, w_hh, 3);
  }
  static constexpr auto rule(const dims& x, const dims& h, const dims& w_ih, const dims& w_hh, const dims& b_ih,
                             const dims& b_hh, const attributes&) -> verdict {
    return rules::recurrent(true, x, h, w_ih, w_hh, 3, b_ih, b_hh);
  }
  static constexpr auto expand(const auto& x, const auto& h, const auto& w_ih, const auto& w_hh, const attributes& a) {
    return run(x, w_ih, h, dims_of(w_hh)[1].n, a, [&](const auto& s) { return linear(s, w_hh); });
  }
  static constexpr auto expand(const auto& x, const auto& h, const auto& w_ih, const auto& w_hh, const auto& b_ih,
                               const auto& b_hh, const attributes& a) {
    return run(x, w_ih, h, dims_of(w_hh)[1].n, a, [&](const auto& s) { return linear(s, w_hh, b_hh); }, b_ih);
  }

 private:
  template <class X, class... B>
  static constexpr auto run(const X& x, const X& w_ih, X s, index_t hidden, const attributes& a, const auto& of_state,
                            const B&... b_ih) -> X {
    const auto next = [&](const X& product) { return s = detail::gru_next(product, of_state(s), s, hidden); };
    return detail::over_products(x, w_ih, a.reverse.value, next, b_ih...);
  }
} gru;

}  // namespace koila::inline v0
