// SPDX-License-Identifier: MIT
// Randomness, sequences and attention.
#include <koila/ops.hpp>

// clang-format off: a mistake and its sentence stand on one line

using namespace koila;
using namespace koila::internal;

int main() {
  input<batch, 10> x{"x"};
  input<int64, batch, 10> n{"n"};
  input<int32, batch, 10> narrow_index{"narrow_index"};
  input<100, 16> w{"w"};
  input<100> line{"line"};
  input<batch, 10, 8> xs{"xs"};
  input<batch, 8> x8{"x8"};
  input<batch, 5> h{"h"};
  input<15, 7> wrong3{"wrong3"};
  input<20, 7> wrong4{"wrong4"};
  input<5, 7> wrong1{"wrong1"};
  input<15, 5> hh3{"hh3"};
  input<20, 5> hh4{"hh4"};
  input<5, 5> hh1{"hh1"};
  input<15, 8> ih3{"ih3"};
  input<batch, 2, 10, 8> q{"q"};
  input<batch, 2, 10, 7> short_k{"short_k"};
#ifdef MISTAKE
  bernoulli(n);  // says: bernoulli: int64[batch, 10]: not a floating-point dtype
  bernoulli_like(n);  // says: bernoulli_like: int64[batch, 10]: not a floating-point dtype
  bernoulli_like(x, 2_c);  // says: bernoulli_like: [batch, 10]: the probability is not in [0, 1]
  dropout(n);  // says: dropout: int64[batch, 10]: not a floating-point dtype
  dropout(x, ops::p = 2_c);  // says: dropout: [batch, 10]: the probability is not in [0, 1]
  embedding(narrow_index, w);  // says: embedding: int32[batch, 10] x [100, 16]: the index is not int64
  embedding(n, line);  // says: embedding: int64[batch, 10] x [100]: no rule for these ranks
  embedding(n, n);  // says: embedding: int64[batch, 10] x int64[batch, 10]: not a floating-point dtype
  embedding(n, w, padding_idx = 100_c);  // says: embedding: int64[batch, 10] x [100, 16], padding_idx 100: the number is larger than the dim
  embedding_backward(x, n, w);  // says: embedding_backward: [batch, 10] x int64[batch, 10] x [100, 16]: shapes differ
  rand_like(n);  // says: rand_like: int64[batch, 10]: not a floating-point dtype
  randn_like(n);  // says: randn_like: int64[batch, 10]: not a floating-point dtype
  gru(xs, h, wrong3, hh3);  // says: gru: [batch, 10, 8] x [batch, 5] x [15, 7] x [15, 5]: in_features differ
  gru(x8, h, ih3, hh3);  // says: gru: [batch, 8] x [batch, 5] x [15, 8] x [15, 5]: no rule for these ranks
  gru_cell(x8, h, wrong3, hh3);  // says: gru_cell: [batch, 8] x [batch, 5] x [15, 7] x [15, 5]: in_features differ
  gru_cell(x8, h, ih3, hh4);  // says: gru_cell: [batch, 8] x [batch, 5] x [15, 8] x [20, 5]: the hidden sizes differ
  lstm(xs, h, h, wrong4, hh4);  // says: lstm: [batch, 10, 8] x [batch, 5] x [batch, 5] x [20, 7] x [20, 5]: in_features differ
  lstm_cell(x8, h, h, wrong4, hh4);  // says: lstm_cell: [batch, 8] x [batch, 5] x [batch, 5] x [20, 7] x [20, 5]: in_features differ
  lstm_cell_memory(x8, h, h, wrong4, hh4);  // says: lstm_cell_memory: [batch, 8] x [batch, 5] x [batch, 5] x [20, 7] x [20, 5]: in_features differ
  lstm_memory(xs, h, h, wrong4, hh4);  // says: lstm_memory: [batch, 10, 8] x [batch, 5] x [batch, 5] x [20, 7] x [20, 5]: in_features differ
  rnn_relu(xs, h, wrong1, hh1);  // says: rnn_relu: [batch, 10, 8] x [batch, 5] x [5, 7] x [5, 5]: in_features differ
  rnn_relu_cell(x8, h, wrong1, hh1);  // says: rnn_relu_cell: [batch, 8] x [batch, 5] x [5, 7] x [5, 5]: in_features differ
  rnn_tanh(xs, h, wrong1, hh1);  // says: rnn_tanh: [batch, 10, 8] x [batch, 5] x [5, 7] x [5, 5]: in_features differ
  rnn_tanh_cell(x8, h, wrong1, hh1);  // says: rnn_tanh_cell: [batch, 8] x [batch, 5] x [5, 7] x [5, 5]: in_features differ
  causal_fill(n);  // says: causal_fill: int64[batch, 10]: not a floating-point dtype
  embedding_bag(x, hh1);  // says: embedding_bag: [batch, 10] x [5, 5]: the index is not int64
  attention(q, short_k, q);  // says: attention: [batch, 2, 10, 8] x [batch, 2, 10, 7] x [batch, 2, 10, 8]: embedding dimensions differ
  attention_backward(q, q, q, short_k, q);  // says: attention_backward: [batch, 2, 10, 8] x [batch, 2, 10, 8] x [batch, 2, 10, 8] x [batch, 2, 10, 7] x [batch, 2, 10, 8]: embedding dimensions differ
  attention(q, q, q, short_k);  // says: attention: [batch, 2, 10, 8] x [batch, 2, 10, 8] x [batch, 2, 10, 8] x [batch, 2, 10, 7]: not broadcastable
  dropout_attention(q, short_k, q);  // says: dropout_attention: [batch, 2, 10, 8] x [batch, 2, 10, 7] x [batch, 2, 10, 8]: embedding dimensions differ
  dropout_attention(q, q, q, dropout_p = 2_c);  // says: dropout_attention: [batch, 2, 10, 8] x [batch, 2, 10, 8] x [batch, 2, 10, 8]: the probability is not in [0, 1]
  dropout_attention_backward(q, q, q, short_k, q);  // says: dropout_attention_backward: [batch, 2, 10, 8] x [batch, 2, 10, 8] x [batch, 2, 10, 8] x [batch, 2, 10, 7] x [batch, 2, 10, 8]: embedding dimensions differ
  scaled_dot_product_attention(q, short_k, q);  // says: scaled_dot_product_attention: [batch, 2, 10, 8] x [batch, 2, 10, 7] x [batch, 2, 10, 8]: embedding dimensions differ
  scaled_dot_product_attention(q, q, q, dropout_p = 2_c);  // says: scaled_dot_product_attention: [batch, 2, 10, 8] x [batch, 2, 10, 8] x [batch, 2, 10, 8]: the probability is not in [0, 1]
#endif
}
