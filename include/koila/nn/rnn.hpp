// SPDX-License-Identifier: MIT
#pragma once
// Recurrent layers.
#include <koila/nn/dropout.hpp>
#include <koila/nn/either.hpp>
#include <koila/nn/linear.hpp>
#include <koila/ops/creation/zeros_like.hpp>
#include <koila/ops/indexing/cat.hpp>
#include <koila/ops/indexing/expand.hpp>
#include <koila/ops/indexing/select.hpp>
#include <koila/ops/indexing/stack.hpp>
#include <koila/ops/indexing/transpose.hpp>
#include <koila/ops/indexing/unsqueeze.hpp>
#include <koila/ops/internal/lstm_memory.hpp>
#include <koila/ops/pointwise/add.hpp>
#include <koila/ops/recurrent/gru.hpp>
#include <koila/ops/recurrent/lstm.hpp>
#include <koila/ops/recurrent/rnn_relu.hpp>
#include <koila/ops/recurrent/rnn_tanh.hpp>
#include <koila/ops/reduction/sum.hpp>

namespace koila::inline v0::nn {

/// Options of a recurrent layer:
/// `nn::lstm<28, 64, nn::rnn_options{.layers = 2, .bidirectional = true}>`.
struct rnn_options {
  int layers = 1;
  bool bidirectional = false;
  bool bias = true;
  bool batch_first = false;  ///< x and the hidden states of all steps are (n, time, ...), not (time, n, ...)
};

namespace detail {

/// The names of the weights, such as "weight_ih_l0_reverse", as in LibTorch.
template <int Layer, bool Reverse>
struct rnn_names {
  template <std::size_t N>
  static constexpr auto spelt(const char (&kind)[N]) {
    std::array<char, N + 16> out{};
    std::size_t n = 0;
    for (std::size_t i = 0; i + 1 < N; ++i) out[n++] = kind[i];
    for (const char c : {'_', 'l'}) out[n++] = c;
    static_assert(Layer < 10);
    out[n++] = static_cast<char>('0' + Layer);
    if (Reverse)
      for (const char c : {'_', 'r', 'e', 'v', 'e', 'r', 's', 'e'}) out[n++] = c;
    return out;
  }
  static constexpr auto weight_ih = spelt("weight_ih"), weight_hh = spelt("weight_hh"), bias_ih = spelt("bias_ih"),
                        bias_hh = spelt("bias_hh");
};

/// The weights of one layer in one direction. All are initialised uniformly between -1/sqrt(Hidden)
/// and 1/sqrt(Hidden).
template <index_t Gates, index_t In, index_t Hidden, int Layer, bool Reverse, bool Bias>
struct rnn_weights {
  using names = rnn_names<Layer, Reverse>;
  static constexpr bool reversed = Reverse, biased = Bias;
  static constexpr initial first = uniform_by_root(Hidden);
  parameter<Gates * Hidden, In> weight_ih{names::weight_ih.data(), first};
  parameter<Gates * Hidden, Hidden> weight_hh{names::weight_hh.data(), first};
  using bias = std::conditional_t<Bias, parameter<Gates * Hidden>, nothing>;
  [[no_unique_address]] bias bias_ih{names::bias_ih.data(), first};
  [[no_unique_address]] bias bias_hh{names::bias_hh.data(), first};
};

/// Returns the state before the first step: zeros of the shape (n, Hidden), where x has the shape
/// (time, n, in). The state is zero even if x contains NaN.
template <index_t Hidden>
auto zero_state(const auto& x) {
  const auto row = sum(koila::zeros_like(select(x, 0_c, 0_c)), -1_c, keepdim = hana::true_c);  // (n, 1)
  return koila::expand(row, -1_c, hana::integral_constant<index_t, Hidden>{});
}

/// Layers of recurrent cells over a sequence. `Kind` defines a single layer.
template <class Kind, index_t In, index_t Hidden, rnn_options O>
struct recurrent : Kind::template refusing<In, Hidden> {
  static constexpr int directions = O.bidirectional ? 2 : 1;
  const char* name;
  bool training = true;
  double dropout = 0;  ///< probability of the dropout after every layer but the last

  constexpr recurrent() : recurrent("") {}
  constexpr explicit recurrent(const char* n) : name(n) {}
  auto members() const {
    return std::apply([](const auto&... l) { return std::tuple_cat(tied(l)...); }, layers);
  }
  auto members() {
    return std::apply([](auto&... l) { return std::tuple_cat(tied(l)...); }, layers);
  }

  using recurrent::refusing_layer::operator();
  /// (time, n, In) -> a std::tuple: the hidden states of the last layer, (time, n, directions *
  /// Hidden), then the last hidden state of each layer and direction, (layers * directions, n,
  /// Hidden). An lstm also returns the last cell states, which have the same shape as the last
  /// hidden states.
  template <class X>
    requires(!recurrent::template refuses<X>)
  auto operator()(const X& x) const {
    return from(x);
  }
  /// Starts from the given states instead of zeros: `net(x, h)`, or `net(x, h, c)` for an lstm. The
  /// states have the shape (layers * directions, n, Hidden), like the last states that the layer
  /// returns.
  template <class X, class... States>
    requires(sizeof...(States) == Kind::states)
  auto operator()(const X& x, const States&... states) const {
    (require_states(states), ...);
    if constexpr (mixed<X, States...>) return from(lazily(x), shared(checked_when_bound(lazily(states)))...);
    else return from(x, shared(checked_when_bound(states))...);
  }

 private:
  template <int Layer, bool Reverse>
  using weights = rnn_weights<Kind::gates, Layer == 0 ? In : Hidden * directions, Hidden, Layer, Reverse, O.bias>;
  /// Adds a check at binding time if the compiler does not know enough about the states' shape.
  template <class S>
  static auto checked_when_bound(const S& s) {
    if constexpr (PlainTensor<S>) return s;
    else if constexpr (koila::detail::shape_t<S>::value.ranked() && koila::detail::shape_t<S>::value[0].known())
      return s;
    else return erased<dtype::unknown, O.layers * directions, any, Hidden>(s);
  }
  /// Requires states of the shape (layers * directions, n, hidden), because surplus states would be
  /// ignored. If the shape is wrong, throws shape_error for a tensor, and does not compile for an
  /// expression.
  template <class S>
  static void require_states(const S& s) {
    constexpr index_t n = O.layers * directions;
    if constexpr (PlainTensor<S>) {
      if (s.dim() != 3 || s.size(0) != n)
        throw shape_error(
            "koila: the first states of a recurrent layer are (layers directions, n, hidden), here with " +
            std::to_string(n) + " first");
    } else {
      constexpr author::dims d = koila::detail::shape_t<S>::value;
      static_assert(!d.ranked() || (d.rank == 3 && (!d[0].known() || d[0].n == n)),
                    "the first states of a recurrent layer are (layers directions, n, hidden)");
    }
  }
  template <int... L>
  static auto make(std::integer_sequence<int, L...>) {
    if constexpr (O.bidirectional) return std::tuple_cat(std::tuple<weights<L, false>, weights<L, true>>{}...);
    else return std::tuple<weights<L, false>...>{};
  }
  static auto tied(auto& w) { return std::tie(w.weight_ih, w.weight_hh, w.bias_ih, w.bias_hh); }

  decltype(make(std::make_integer_sequence<int, O.layers>{})) layers;

  auto from(const auto& x, const auto&... states) const {
    if constexpr (O.batch_first) {
      return std::apply(
          [](const auto& y, const auto&... last) { return std::make_tuple(transpose(y, 0_c, 1_c), last...); },
          through<0>(transpose(x, 0_c, 1_c), std::tuple<>{}, states...));
    } else {
      return through<0>(x, std::tuple<>{}, states...);
    }
  }

  template <int Layer, class... Last>
  auto through(const auto& operands, const std::tuple<Last...>& last, const auto&... states) const {
    if constexpr (Layer == O.layers) {
      return std::tuple_cat(std::make_tuple(operands), Kind::stacked_states(last));
    } else {
      const auto x = shared(operands);
      const auto forward = one<Layer * directions>(x, states...);
      const auto dropped = [&](const auto& y) {
        return koila::dropout(y, Layer + 1 < O.layers ? dropout : 0.0, koila::training = training);
      };
      if constexpr (O.bidirectional) {
        const auto backward = one<Layer * directions + 1>(x, states...);
        return through<Layer + 1>(dropped(cat(std::get<0>(forward), std::get<0>(backward), koila::dim = -1_c)),
                                  std::tuple_cat(last, std::make_tuple(forward, backward)), states...);
      } else {
        return through<Layer + 1>(dropped(std::get<0>(forward)), std::tuple_cat(last, std::make_tuple(forward)),
                                  states...);
      }
    }
  }
  /// Runs entry I of `layers`, which has one entry for each layer and direction.
  template <int I>
  auto one(const auto& x, const auto&... states) const {
    const auto& w = std::get<I>(layers);
    if constexpr (sizeof...(states) == 0) return Kind::run(x, w, shared(zero_state<Hidden>(x)));
    else return Kind::run(x, w, select(states, 0_c, hana::int_c<I>)...);
  }
};

/// Returns the state after the last step of a layer in one direction. In the reverse direction, the
/// last step is at time 0.
template <bool Reverse>
auto last_of(const auto& states) {
  if constexpr (Reverse) return select(states, 0_c, 0_c);
  else return select(states, 0_c, -1_c);
}
/// Returns entry I of every layer's result, stacked along a new first dim.
template <std::size_t I>
auto stacked(const auto& all) {
  return std::apply(
      [](const auto&... layer) { return stack(std::make_tuple(std::get<I>(layer)...), koila::dim = 0_c); }, all);
}

struct lstm_kind {
  static constexpr index_t gates = 4;
  static constexpr std::size_t states = 2;
  template <index_t In, index_t Hidden>
  using refusing = koila::detail::refusing_layer<struct koila::lstm, shape<unranked>, shape<unranked>,
                                                 parameter<4 * Hidden, In>, parameter<4 * Hidden, Hidden>>;
  static auto run(const auto& x, const auto& w, const auto& zero) { return run(x, w, zero, zero); }
  template <class W>
  static auto run(const auto& x, const W& w, const auto& h0, const auto& c0) {
    const auto h = shared(h0);
    const auto c = shared(c0);
    const auto both = [&](const auto&... bias) {
      const auto all = shared(koila::lstm(x, h, c, w.weight_ih, w.weight_hh, bias..., reverse = W::reversed));
      return std::make_tuple(
          all, last_of<W::reversed>(all),
          koila::internal::lstm_memory(x, h, c, w.weight_ih, w.weight_hh, bias..., reverse = W::reversed));
    };
    if constexpr (W::biased) return both(shared(beside(x, add(w.bias_ih, w.bias_hh), w.bias_ih, w.bias_hh)));
    else return both();
  }
  static auto stacked_states(const auto& all) { return std::make_tuple(stacked<1>(all), stacked<2>(all)); }
};
/// Base of the layers that have one state and one op.
struct state_kind {
  static constexpr std::size_t states = 1;
  template <class W>
  static auto with(const auto& op, const auto& x, const W& w, const auto& h, const auto&... bias) {
    const auto all = shared(op(x, h, w.weight_ih, w.weight_hh, bias..., reverse = W::reversed));
    return std::make_tuple(all, last_of<W::reversed>(all));
  }
  static auto stacked_states(const auto& all) { return std::make_tuple(stacked<1>(all)); }
};
struct gru_kind : state_kind {
  static constexpr index_t gates = 3;
  template <index_t In, index_t Hidden>
  using refusing = koila::detail::refusing_layer<struct koila::gru, shape<unranked>, parameter<3 * Hidden, In>,
                                                 parameter<3 * Hidden, Hidden>>;
  template <class W>
  static auto run(const auto& x, const W& w, const auto& h) {
    if constexpr (W::biased) return with(koila::gru, x, w, h, w.bias_ih, w.bias_hh);
    else return with(koila::gru, x, w, h);
  }
};
template <const auto& Op>
struct rnn_kind : state_kind {
  static constexpr index_t gates = 1;
  template <index_t In, index_t Hidden>
  using refusing = koila::detail::refusing_layer<std::remove_cvref_t<decltype(Op)>, shape<unranked>,
                                                 parameter<Hidden, In>, parameter<Hidden, Hidden>>;
  template <class W>
  static auto run(const auto& x, const W& w, const auto& h) {
    if constexpr (W::biased) return with(Op, x, w, h, beside(x, add(w.bias_ih, w.bias_hh), w.bias_ih, w.bias_hh));
    else return with(Op, x, w, h);
  }
};

}  // namespace detail

/// (time, n, In) -> `auto [y, h, c] = net(x)`: all hidden states of the last layer, then the last
/// hidden and cell states of all layers. torch.nn.LSTM.
template <index_t In, index_t Hidden, rnn_options O = rnn_options{}>
struct lstm : detail::recurrent<detail::lstm_kind, In, Hidden, O> {
  using detail::recurrent<detail::lstm_kind, In, Hidden, O>::recurrent;
};
/// (time, n, In) -> `auto [y, h] = net(x)`: all hidden states of the last layer, then the last
/// hidden states of all layers. torch.nn.GRU.
template <index_t In, index_t Hidden, rnn_options O = rnn_options{}>
struct gru : detail::recurrent<detail::gru_kind, In, Hidden, O> {
  using detail::recurrent<detail::gru_kind, In, Hidden, O>::recurrent;
};
/// (time, n, In) -> `auto [y, h] = net(x)`, as for gru, with tanh. torch.nn.RNN.
template <index_t In, index_t Hidden, rnn_options O = rnn_options{}>
struct rnn : detail::recurrent<detail::rnn_kind<koila::rnn_tanh>, In, Hidden, O> {
  using detail::recurrent<detail::rnn_kind<koila::rnn_tanh>, In, Hidden, O>::recurrent;
};
/// (time, n, In) -> `auto [y, h] = net(x)`, as for gru, with relu. torch.nn.RNN with nonlinearity =
/// "relu".
template <index_t In, index_t Hidden, rnn_options O = rnn_options{}>
struct rnn_relu : detail::recurrent<detail::rnn_kind<koila::rnn_relu>, In, Hidden, O> {
  using detail::recurrent<detail::rnn_kind<koila::rnn_relu>, In, Hidden, O>::recurrent;
};

}  // namespace koila::inline v0::nn
