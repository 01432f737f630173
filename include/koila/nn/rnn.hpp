#pragma once
// Recurrent layers.
#include <koila/expr/let.hpp>
#include <koila/nn/dropout.hpp>
#include <koila/nn/transformer.hpp>
#include <koila/ops/add.hpp>
#include <koila/ops/cat.hpp>
#include <koila/ops/gru.hpp>
#include <koila/ops/lstm.hpp>
#include <koila/ops/lstm_memory.hpp>
#include <koila/ops/rnn_relu.hpp>
#include <koila/ops/rnn_tanh.hpp>
#include <koila/ops/select.hpp>
#include <koila/ops/stack.hpp>
#include <koila/ops/sum.hpp>
#include <koila/ops/unsqueeze.hpp>
#include <koila/ops/zeros_like.hpp>

namespace koila::nn {

/// What a recurrent layer may be told: `nn::lstm<28, 64, nn::rnn_options{.layers = 2, .bidirectional = true}>`.
struct rnn_options {
  int layers = 1;
  bool bidirectional = false;
};

namespace detail {

/// "weight_ih_l0_reverse" and its like, as LibTorch names them.
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

/// The weights of one layer in one direction, all uniform in +-1/sqrt(Hidden).
template <index_t Gates, index_t In, index_t Hidden, int Layer, bool Reverse>
struct rnn_weights {
  using names = rnn_names<Layer, Reverse>;
  static constexpr bool reversed = Reverse;
  static constexpr initial first{initial::uniform, 2 / koila::detail::square_root(static_cast<double>(Hidden)),
                                 -1 / koila::detail::square_root(static_cast<double>(Hidden))};
  parameter<Gates * Hidden, In> weight_ih{names::weight_ih.data(), first};
  parameter<Gates * Hidden, Hidden> weight_hh{names::weight_hh.data(), first};
  parameter<Gates * Hidden> bias_ih{names::bias_ih.data(), first};
  parameter<Gates * Hidden> bias_hh{names::bias_hh.data(), first};
};

/// The state before the first step: zeros, whatever x holds, (n, hidden) for x of (time, n, in).
template <index_t Hidden>
auto zero_state(const auto& x) {
  const auto row = sum(koila::zeros_like(select(x, 0_c, 0_c)), -1_c, keepdim = hana::true_c);  // (n, 1)
  return koila::expand(row, -1_c, hana::integral_constant<index_t, Hidden>{});
}

/// Layers of recurrent cells over a sequence. `Kind` says what one layer is.
template <class Kind, index_t In, index_t Hidden, rnn_options O>
struct recurrent {
  static constexpr int directions = O.bidirectional ? 2 : 1;
  const char* name;
  bool training = true;
  double dropout = 0;  ///< after every layer but the last

  constexpr recurrent() : recurrent("") {}
  constexpr explicit recurrent(const char* n) : name(n) {}
  auto members() const {
    return std::apply([](const auto&... l) { return std::tuple_cat(tied(l)...); }, layers);
  }
  auto members() {
    return std::apply([](auto&... l) { return std::tuple_cat(tied(l)...); }, layers);
  }

  /// (time, n, In) -> the hidden states of the last layer (time, n, directions Hidden), then for each layer and direction the last
  /// state (layers directions, n, Hidden); of an lstm the last cell state too. A std::tuple.
  auto operator()(const auto& x) const { return through<0>(x, std::tuple<>{}); }

 private:
  template <int Layer, bool Reverse>
  using weights = rnn_weights<Kind::gates, Layer == 0 ? In : Hidden * directions, Hidden, Layer, Reverse>;
  template <int... L>
  static auto make(std::integer_sequence<int, L...>) {
    if constexpr (O.bidirectional) return std::tuple_cat(std::tuple<weights<L, false>, weights<L, true>>{}...);
    else return std::tuple<weights<L, false>...>{};
  }
  static auto tied(auto& w) { return std::tie(w.weight_ih, w.weight_hh, w.bias_ih, w.bias_hh); }

  decltype(make(std::make_integer_sequence<int, O.layers>{})) layers;

  template <int Layer, class... Last>
  auto through(const auto& in, const std::tuple<Last...>& last) const {
    if constexpr (Layer == O.layers) {
      return std::tuple_cat(std::make_tuple(in), Kind::joined(last));
    } else {
      const auto x = once(in);
      const auto forward = Kind::template run<Hidden>(x, std::get<Layer * directions>(layers));
      const auto dropped = [&](const auto& y) {
        return koila::dropout(y, Layer + 1 < O.layers ? dropout : 0.0, koila::training = training);
      };
      if constexpr (O.bidirectional) {
        const auto backward = Kind::template run<Hidden>(x, std::get<Layer * directions + 1>(layers));
        return through<Layer + 1>(dropped(cat(std::get<0>(forward), std::get<0>(backward), koila::dim = -1_c)),
                                  std::tuple_cat(last, std::make_tuple(forward, backward)));
      } else {
        return through<Layer + 1>(dropped(std::get<0>(forward)), std::tuple_cat(last, std::make_tuple(forward)));
      }
    }
  }
};

/// The state after the last step of a layer in one direction.
template <bool Reverse>
auto last_of(const auto& states) {
  if constexpr (Reverse) return select(states, 0_c, 0_c);
  else return select(states, 0_c, -1_c);
}
/// Entry I of every layer, stacked.
template <std::size_t I>
auto stacked(const auto& all) {
  return std::apply([](const auto&... layer) { return stack(std::make_tuple(std::get<I>(layer)...), koila::dim = 0_c); }, all);
}

struct lstm_kind {
  static constexpr index_t gates = 4;
  template <index_t Hidden>
  static auto run(const auto& x, const auto& w) {
    constexpr bool back = std::remove_cvref_t<decltype(w)>::reversed;
    const auto zero = once(zero_state<Hidden>(x));
    const auto bias = once(beside(x, add(w.bias_ih, w.bias_hh)));
    const auto states = once(koila::lstm(x, zero, zero, w.weight_ih, w.weight_hh, bias, reverse = back));
    return std::make_tuple(states, last_of<back>(states),
                           lstm_memory(x, zero, zero, w.weight_ih, w.weight_hh, bias, reverse = back));
  }
  static auto joined(const auto& all) { return std::make_tuple(stacked<1>(all), stacked<2>(all)); }
};
struct gru_kind {
  static constexpr index_t gates = 3;
  template <index_t Hidden>
  static auto run(const auto& x, const auto& w) {
    constexpr bool back = std::remove_cvref_t<decltype(w)>::reversed;
    const auto states =
        once(koila::gru(x, zero_state<Hidden>(x), w.weight_ih, w.weight_hh, w.bias_ih, w.bias_hh, reverse = back));
    return std::make_tuple(states, last_of<back>(states));
  }
  static auto joined(const auto& all) { return std::make_tuple(stacked<1>(all)); }
};
template <const auto& Op>
struct rnn_kind {
  static constexpr index_t gates = 1;
  template <index_t Hidden>
  static auto run(const auto& x, const auto& w) {
    constexpr bool back = std::remove_cvref_t<decltype(w)>::reversed;
    const auto states =
        once(Op(x, zero_state<Hidden>(x), w.weight_ih, w.weight_hh, beside(x, add(w.bias_ih, w.bias_hh)), reverse = back));
    return std::make_tuple(states, last_of<back>(states));
  }
  static auto joined(const auto& all) { return std::make_tuple(stacked<1>(all)); }
};

}  // namespace detail

/// (time, n, In) -> `auto [y, h, c] = net(x)`: all hidden states of the last layer, the last states. torch.nn.LSTM.
template <index_t In, index_t Hidden, rnn_options O = rnn_options{}>
struct lstm : detail::recurrent<detail::lstm_kind, In, Hidden, O> {
  using detail::recurrent<detail::lstm_kind, In, Hidden, O>::recurrent;
};
/// (time, n, In) -> `auto [y, h] = net(x)`. torch.nn.GRU.
template <index_t In, index_t Hidden, rnn_options O = rnn_options{}>
struct gru : detail::recurrent<detail::gru_kind, In, Hidden, O> {
  using detail::recurrent<detail::gru_kind, In, Hidden, O>::recurrent;
};
/// (time, n, In) -> `auto [y, h] = net(x)`, with tanh. torch.nn.RNN.
template <index_t In, index_t Hidden, rnn_options O = rnn_options{}>
struct rnn : detail::recurrent<detail::rnn_kind<koila::rnn_tanh>, In, Hidden, O> {
  using detail::recurrent<detail::rnn_kind<koila::rnn_tanh>, In, Hidden, O>::recurrent;
};
/// The same with relu.
template <index_t In, index_t Hidden, rnn_options O = rnn_options{}>
struct rnn_relu : detail::recurrent<detail::rnn_kind<koila::rnn_relu>, In, Hidden, O> {
  using detail::recurrent<detail::rnn_kind<koila::rnn_relu>, In, Hidden, O>::recurrent;
};

}  // namespace koila::nn
