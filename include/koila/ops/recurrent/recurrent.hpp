// SPDX-License-Identifier: MIT
#pragma once
// Shared by the recurrent networks: rules, the step of each cell, the loop over time.
#include <koila/ops/activation/relu.hpp>
#include <koila/ops/indexing/cat.hpp>
#include <koila/ops/indexing/narrow.hpp>
#include <koila/ops/indexing/select.hpp>
#include <koila/ops/indexing/unsqueeze.hpp>
#include <koila/ops/linalg/linear.hpp>
#include <koila/ops/pointwise/add.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/sigmoid.hpp>
#include <koila/ops/pointwise/sub.hpp>
#include <koila/ops/pointwise/tanh.hpp>

#include <algorithm>
#include <vector>

namespace koila::inline v0 {

namespace detail {

/// The attribute of an op on a whole sequence.
struct sequence_attributes {
  attr<bool> reverse = false;
  friend constexpr auto operator==(const sequence_attributes&, const sequence_attributes&) -> bool = default;
};

}  // namespace detail

namespace rules {

/// Checks the operands of one of a cell's two products, (..., in) x (gates * hidden, in), for a
/// hidden state (n, hidden). Returns `accepted` or the reason for a refusal.
constexpr auto gated(const dims& operands, const dims& hidden, const dims& w, index_t gates) -> reason {
  if ((w.ranked() && w.rank != 2) || (hidden.ranked() && hidden.rank != 2)) return reason::no_rule_for_these_ranks;
  for (const dims* d : {&operands, &hidden, &w}) {
    if (d->type != dtype::unknown && !is_floating(d->type)) return reason::not_a_floating_type;
    if (d->type != dtype::unknown && w.type != dtype::unknown && d->type != w.type) return reason::dtypes_differ;
  }
  if (!w.ranked()) return reason::accepted;
  if (operands.ranked() && detail::compare_extents(operands[-1], w[1]) == detail::tristate::no)
    return reason::in_features_differ;
  if (!hidden.ranked() || !hidden[1].known()) return reason::accepted;
  return detail::compare_extents(w[0], extent{gates * hidden[1].n, {}, true}) == detail::tristate::no
             ? reason::hidden_sizes_differ
             : reason::accepted;
}

/// (n, in) x (n, hidden) x (gates * hidden, in) x (gates * hidden, hidden) -> (n, hidden). Any
/// number of biases (gates * hidden) may follow. If `sequence`, the first operand and the result
/// have a dim `time` in front.
template <class... B>
constexpr auto recurrent(bool sequence, const dims& x, const dims& h, const dims& w_ih, const dims& w_hh, index_t gates,
                         const B&... biases) -> verdict {
  if (x.ranked() && x.rank != (sequence ? 3 : 2)) return reason::no_rule_for_these_ranks;
  if (const reason r = gated(x, h, w_ih, gates); r != reason::accepted) return r;
  if (const reason r = gated(h, h, w_hh, gates); r != reason::accepted)
    return r == reason::in_features_differ ? reason::hidden_sizes_differ : r;
  bool fits = true;
  (void)(fits && ... &&
         (fits = !biases.ranked() ||
                 (biases.rank == 1 &&
                  (!w_ih.ranked() || detail::compare_extents(biases[0], w_ih[0]) != detail::tristate::no))));
  if (!fits) return reason::bias_is_not_out_features;
  if (!(same_type(biases, w_ih) && ...)) return reason::dtypes_differ;
  if (!x.ranked() || !h.ranked()) return dims(x.type == dtype::unknown ? h.type : x.type);
  if (detail::compare_extents(x[-2], h[0]) == detail::tristate::no) return reason::batch_dimensions_differ;
  if (sequence && x[0].known() && x[0].n == 0) return reason::size_out_of_range;
  dims out = x.with(x.type == dtype::unknown ? h.type : x.type);
  out[-2] = detail::either(x[-2], h[0]);
  out[-1] = h[1];
  return out;
}

/// The rule of the last state of a sequence. v is the verdict on all states.
constexpr auto last_step(const verdict& v) -> verdict {
  return v.accepted() && v.out.ranked() ? verdict(drop(v.out, 0, false)) : v;
}

/// Checks that the cell state has the dims and dtype of the hidden state.
constexpr auto with_cell(const verdict& v, const dims& h, const dims& c) -> verdict {
  if (!v.accepted()) return v;
  if (same_shape(h, c) == detail::tristate::no) return reason::hidden_sizes_differ;
  if (h.type != dtype::unknown && c.type != dtype::unknown && h.type != c.type) return reason::dtypes_differ;
  return v;
}

}  // namespace rules

namespace detail {

/// (n, gates * hidden) -> (n, hidden): gate i of the gates, which are concatenated along the last
/// dim.
template <class X>
constexpr auto gate(const X& all, index_t i, index_t hidden) -> X {
  return narrow(all, attr<index_t>(-1), attr<index_t>(i * hidden), attr<index_t>(hidden));
}

/// The state that an LSTM carries from step to step (Hochreiter and Schmidhuber 1997). The gates
/// are in LibTorch's order: i, f, g, o.
template <class X>
struct lstm_state {
  X h, c;
  /// Returns the state after a step. `gates` are the values of the gates before their activation
  /// functions.
  constexpr auto next(const X& gates, index_t hidden) const -> lstm_state {
    const X keep = mul(sigmoid(gate(gates, 1, hidden)), c),
            learn = mul(sigmoid(gate(gates, 0, hidden)), call<struct ops::tanh>(gate(gates, 2, hidden)));
    const X cell = add(keep, learn);
    return {mul(sigmoid(gate(gates, 3, hidden)), call<struct ops::tanh>(cell)), cell};
  }
};

/// Returns the state after a step of a GRU (Cho et al. 2014): h' = (1 - z) * n + z * h, with the
/// gates r, z and n. `xs` is the product of a weight and the input. `hs` is the product of a weight
/// and the state.
template <class X>
constexpr auto gru_next(const X& xs, const X& hs, const X& h, index_t hidden) -> X {
  const X r = sigmoid(add(gate(xs, 0, hidden), gate(hs, 0, hidden))),
          z = sigmoid(add(gate(xs, 1, hidden), gate(hs, 1, hidden)));
  const X n = call<struct ops::tanh>(add(gate(xs, 2, hidden), mul(r, gate(hs, 2, hidden))));
  return add(n, mul(z, sub(h, n)));
}

/// (time, ...) -> (time, ...): calls next(x of step t), which must return the hidden state after
/// step t, for each of `steps` time steps. Returns the hidden states of all steps.
template <class X, class Next>
constexpr auto over_time(const X& x, index_t steps, bool reversed, const Next& next) -> X {
  std::vector<X> states;
  for (index_t i = 0; i < steps; ++i) {
    const index_t t = reversed ? steps - 1 - i : i;
    states.push_back(
        unsqueeze(next(call<struct ops::select>(x, attr<index_t>(0), attr<index_t>(t))), attr<index_t>(0)));
  }
  if (reversed) std::reverse(states.begin(), states.end());
  return join_vector<struct cat>(std::move(states), koila::dim = 0);
}

/// Limits in bytes. A weight of at most `stays_in_cache` stays in a core's caches from one time
/// step to the next. The products of all steps do not stay in the caches if these products take
/// more than `leaves_cache`.
inline constexpr index_t stays_in_cache = 256 << 10, leaves_cache = 2 << 20;

/// Returns true if the product of a sequence and a weight is computed step by step, with one
/// product for each time step. This is the case if the products of all steps would not stay in the
/// caches, but the weight would. If the product is computed step by step, the results of a step
/// stay in the caches, too, and the products and gradients of all steps are never stored together.
/// Smaller products are faster in one call. 16-bit dtypes are excluded, because each step would
/// round its part of the weight's gradient.
constexpr auto multiplies_by_steps(const dims& x, const dims& w) -> bool {
  if (accumulator_of(w.type) != w.type || w.bytes() > stays_in_cache) return false;
  return x.count(0, 2) * w[0].n * bytes_of(w.type) > leaves_cache;
}

/// Runs over all time steps like `over_time`, but calls next(linear(x of step t, w, b)). The bias
/// `b` is optional.
template <class X, class Next, class... B>
constexpr auto over_products(const X& x, const X& w, bool reversed, const Next& next, const B&... b) -> X {
  const index_t steps = dims_of(x)[0].n;
  if (!multiplies_by_steps(dims_of(x), dims_of(w))) return over_time(linear(x, w, b...), steps, reversed, next);
  return over_time(x, steps, reversed, [&](const X& step) { return next(linear(step, w, b...)); });
}

/// Returns the hidden states of an LSTM at all steps, and its cell state after the last step.
template <class X, class... B>
constexpr auto lstm_over_time(const X& x, lstm_state<X> s, const X& w_ih, const X& w_hh, bool reversed, const B&... b)
    -> lstm_state<X> {
  const index_t hidden = dims_of(w_hh)[1].n;
  const auto next = [&](const X& product) {
    s = s.next(add(product, linear(s.h, w_hh)), hidden);
    return s.h;
  };
  const X all = over_products(x, w_ih, reversed, next, b...);
  return {all, s.c};
}

/// One step of a recurrent network. `Op` must define activate(x), which is applied to the sum of
/// the products of input and state.
template <class Op>
struct rnn_step : op<Op> {
  static constexpr auto rule(const dims& x, const dims& h, const dims& w_ih, const dims& w_hh) -> verdict {
    return rules::recurrent(false, x, h, w_ih, w_hh, 1);
  }
  static constexpr auto rule(const dims& x, const dims& h, const dims& w_ih, const dims& w_hh, const dims& b)
      -> verdict {
    return rules::recurrent(false, x, h, w_ih, w_hh, 1, b);
  }
  static constexpr auto expand(const auto& x, const auto& h, const auto& w_ih, const auto& w_hh) {
    return Op::activate(add(linear(x, w_ih), linear(h, w_hh)));
  }
  static constexpr auto expand(const auto& x, const auto& h, const auto& w_ih, const auto& w_hh, const auto& b) {
    return Op::activate(add(linear(x, w_ih, b), linear(h, w_hh)));
  }
};

/// A recurrent network over a whole sequence. `Cell` is the rnn_step whose activation is used.
template <class Op, class Cell>
struct rnn_sequence : op<Op, 5> {
  using attributes = sequence_attributes;
  static constexpr auto rule(const dims& x, const dims& h, const dims& w_ih, const dims& w_hh, const attributes&)
      -> verdict {
    return rules::recurrent(true, x, h, w_ih, w_hh, 1);
  }
  static constexpr auto rule(const dims& x, const dims& h, const dims& w_ih, const dims& w_hh, const dims& b,
                             const attributes&) -> verdict {
    return rules::recurrent(true, x, h, w_ih, w_hh, 1, b);
  }
  static constexpr auto expand(const auto& x, const auto& h, const auto& w_ih, const auto& w_hh, const attributes& a) {
    return run(x, w_ih, h, w_hh, a);
  }
  static constexpr auto expand(const auto& x, const auto& h, const auto& w_ih, const auto& w_hh, const auto& b,
                               const attributes& a) {
    return run(x, w_ih, h, w_hh, a, b);
  }

 private:
  template <class X, class... B>
  static constexpr auto run(const X& x, const X& w_ih, X s, const X& w_hh, const attributes& a, const B&... b) -> X {
    const auto next = [&](const X& product) { return s = Cell::activate(add(product, linear(s, w_hh))); };
    return detail::over_products(x, w_ih, a.reverse.value, next, b...);
  }
};

/// One step of an LSTM. `Op` must define state_of(state), which returns either the hidden state or
/// the cell state.
template <class Op>
struct lstm_step : op<Op> {
  static constexpr auto rule(const dims& x, const dims& h, const dims& c, const dims& w_ih, const dims& w_hh)
      -> verdict {
    return rules::with_cell(rules::recurrent(false, x, h, w_ih, w_hh, 4), h, c);
  }
  static constexpr auto rule(const dims& x, const dims& h, const dims& c, const dims& w_ih, const dims& w_hh,
                             const dims& b) -> verdict {
    return rules::with_cell(rules::recurrent(false, x, h, w_ih, w_hh, 4, b), h, c);
  }
  static constexpr auto expand(const auto& x, const auto& h, const auto& c, const auto& w_ih, const auto& w_hh) {
    return Op::state_of(detail::lstm_state{h, c}.next(add(linear(x, w_ih), linear(h, w_hh)), dims_of(h)[1].n));
  }
  static constexpr auto expand(const auto& x, const auto& h, const auto& c, const auto& w_ih, const auto& w_hh,
                               const auto& b) {
    return Op::state_of(detail::lstm_state{h, c}.next(add(linear(x, w_ih, b), linear(h, w_hh)), dims_of(h)[1].n));
  }
};

/// An LSTM over a whole sequence. `Op` must define state_of(state), as for lstm_step, and
/// result(v), which derives the verdict of the op from the verdict v on all hidden states.
template <class Op>
struct lstm_sequence : op<Op, 5> {
  using attributes = sequence_attributes;
  static constexpr auto rule(const dims& x, const dims& h, const dims& c, const dims& w_ih, const dims& w_hh,
                             const attributes&) -> verdict {
    return Op::result(rules::with_cell(rules::recurrent(true, x, h, w_ih, w_hh, 4), h, c));
  }
  static constexpr auto rule(const dims& x, const dims& h, const dims& c, const dims& w_ih, const dims& w_hh,
                             const dims& b, const attributes&) -> verdict {
    return Op::result(rules::with_cell(rules::recurrent(true, x, h, w_ih, w_hh, 4, b), h, c));
  }
  static constexpr auto expand(const auto& x, const auto& h, const auto& c, const auto& w_ih, const auto& w_hh,
                               const attributes& a) {
    return Op::state_of(detail::lstm_over_time(x, {h, c}, w_ih, w_hh, a.reverse.value));
  }
  static constexpr auto expand(const auto& x, const auto& h, const auto& c, const auto& w_ih, const auto& w_hh,
                               const auto& b, const attributes& a) {
    return Op::state_of(detail::lstm_over_time(x, {h, c}, w_ih, w_hh, a.reverse.value, b));
  }
};

}  // namespace detail

}  // namespace koila::inline v0
