// SPDX-License-Identifier: MIT
// Definitions of spellings.hpp: LibTorch's recurrent networks, which are several layers of koila's
// ops. spellings.ipp includes this file after the functions that it uses.
namespace koila::inline v0::detail::spelled {

/// Layers over a sequence, as lstm, gru and rnn call them. `cell(x, layer, weights, reverse)`
/// records one layer in one direction, and returns its states at all steps, or -1.
template <class Cell>
inline auto layers(const operator_call& c, region& r, std::size_t gates_of_states, const Cell& cell) -> int {
  const bool has_biases = c.argument(3).toBool(), bidirectional = c.argument(7).toBool(),
             batch_first = c.argument(8).toBool();
  const auto count = static_cast<std::size_t>(c.argument(4).toInt());
  const std::size_t directions = bidirectional ? 2 : 1, each = has_biases ? 4 : 2;
  std::vector<int> weights;
  for (const at::Tensor& t : c.argument(2).toTensorVector()) weights.push_back(r.value_of(t));
  if (weights.size() != count * directions * each || gates_of_states == 0) return -1;
  int x = value(c, r, 0);
  if (x < 0 || r.dims_of_value(x).rank != 3) return -1;
  if (batch_first) x = swapped(r, x, 0, 1);
  for (std::size_t layer = 0; layer < count; ++layer) {
    std::vector<int> both;
    for (std::size_t d = 0; d < directions; ++d) {
      const std::size_t k = layer * directions + d;
      both.push_back(cell(x, k, &weights[k * each], has_biases, d == 1));
      if (both.back() < 0) return -1;
    }
    x = joined(r, std::move(both), -1);
    const double p = c.argument(5).toDouble();
    if (p > 0 && c.argument(6).toBool() && layer + 1 < count) {
      attributes_t<struct dropout> a;
      a.p = p;
      x = record_op<struct dropout>(r, a, x);
    }
  }
  return batch_first ? swapped(r, x, 0, 1) : x;
}
inline auto last_state(region& r, int states, bool reverse) -> int {
  return with_dim(r, selected(r, states, 0, reverse ? 0 : -1), 0);
}

inline auto long_short_term_memory(const operator_call& c, region& r, call_results& out) -> bool {
  if (c.overload() != "input") return false;
  const std::vector<at::Tensor> first = c.argument(1).toTensorVector();
  if (first.size() != 2) return false;
  const int h0 = r.value_of(first[0]), c0 = r.value_of(first[1]);
  if (h0 < 0 || c0 < 0) return false;
  std::vector<int> hidden, memory;
  const int y = layers(c, r, 4, [&](int x, std::size_t k, const int* w, bool has_biases, bool reverse) {
    const auto at_layer = static_cast<index_t>(k);
    int in[] = {x,
                selected(r, h0, 0, at_layer),
                selected(r, c0, 0, at_layer),
                w[0],
                w[1],
                has_biases ? record_op<struct add>(r, {}, w[2], w[3]) : -1};
    const int n = has_biases ? 6 : 5;
    const int states = record_op<struct lstm>(r, in, n, {reverse});
    const int last = states < 0 ? -1 : record_op<struct internal::lstm_memory>(r, in, n, {reverse});
    if (last < 0) return -1;
    hidden.push_back(last_state(r, states, reverse));
    memory.push_back(with_dim(r, last, 0));
    return states;
  });
  if (y < 0) return false;
  out.values = {{y}, {joined(r, std::move(hidden), 0)}, {joined(r, std::move(memory), 0)}};
  return true;
}
template <class Op, bool SeparateBiases>
inline auto recurrent_network(const operator_call& c, region& r, call_results& out) -> bool {
  if (c.overload() != "input") return false;
  const int h0 = value(c, r, 1);
  if (h0 < 0) return false;
  std::vector<int> hidden;
  const int y = layers(c, r, 1, [&](int x, std::size_t k, const int* w, bool has_biases, bool reverse) {
    int in[most_operands] = {x, selected(r, h0, 0, static_cast<index_t>(k)), w[0], w[1]};
    int n = 4;
    if (has_biases && SeparateBiases) in[n++] = w[2], in[n++] = w[3];
    else if (has_biases) in[n++] = record_op<struct add>(r, {}, w[2], w[3]);
    const int states = record_op<Op>(r, in, n, {reverse});
    if (states >= 0) hidden.push_back(last_state(r, states, reverse));
    return states;
  });
  if (y < 0) return false;
  out.values = {{y}, {joined(r, std::move(hidden), 0)}};
  return true;
}

}  // namespace koila::inline v0::detail::spelled
