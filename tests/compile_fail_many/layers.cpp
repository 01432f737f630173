// SPDX-License-Identifier: MIT
// Layers refuse values of the wrong shape at the line of the call, as their ops do.
// libtorch
#include <koila/koila.hpp>
#include <koila/nn/nn.hpp>

// clang-format off: a mistake and its sentence stand on one line

using namespace koila;

auto f(const at::Tensor& t) {
  input<batch, 5> x{"x"};
  input<batch, 7, 5> s{"s"};
  input<batch, 3, 8, 8> im{"im"};
  input<int64, batch, 7> ids{"ids"};
  nn::linear<5, 10> fits{"fits"};
  nn::linear<4, 10> fc{"fc"};
  nn::linear<4, 10, nn::linear_options{.bias = false}> plain{"plain"};
  nn::conv2d<4, 10, 3> conv{"conv"};
  nn::conv_transpose2d<4, 10, 3> back{"back"};
  nn::conv2d<3, 6, 9> wide{"wide"};
  nn::embedding<20, 4> word{"word"};
  nn::batch_norm<4> bn{"bn"};
  nn::instance_norm<4, nn::instance_norm_options{.affine = true}> in{"in"};
  nn::layer_norm<4> ln{"ln"};
  nn::rms_norm<4> rms{"rms"};
  nn::group_norm<2, 4> gn{"gn"};
  nn::lstm<4, 6> lstm{"lstm"};
  nn::gru<4, 6> gru{"gru"};
  nn::rnn<4, 6> rnn{"rnn"};
  nn::multihead_attention<4, 2> attention{"attention"};
  nn::transformer_encoder_layer<4, 2, 8> layer{"layer"};
  (void)fits(x), (void)fc(t), (void)conv(t), (void)word(ids), (void)bn(t), (void)lstm(t), (void)attention(t);
#ifdef MISTAKE
  fc(x);  // says: linear: [batch, 5] x [10, 4] x [10]: in_features differ
  plain(x);  // says: linear: [batch, 5] x [10, 4]: in_features differ
  conv(im);  // says: conv2d: [batch, 3, 8, 8] x [10, 4, 3, 3]: the channels differ
  back(im);  // says: conv_transpose2d: [batch, 3, 8, 8] x [4, 10, 3, 3]: the channels differ
  wide(im);  // says: conv2d: [batch, 3, 8, 8] x [6, 3, 9, 9]: the kernel is larger than the input
  word(x);  // says: embedding: [batch, 5] x [20, 4]: the index is not int64
  bn(im);  // says: batch_norm: [batch, 3, 8, 8] x [4] x [4] x [4] x [4]: the weight is not one number per channel
  in(im);  // says: instance_norm: [batch, 3, 8, 8] x [4] x [4]: the weight is not one number per channel
  ln(x);  // says: layer_norm: [batch, 5] x [4] x [4]: the last dims are not those of the weight
  rms(x);  // says: rms_norm: [batch, 5] x [4]: the last dims are not those of the weight
  gn(im);  // says: group_norm: [batch, 3, 8, 8] x [4] x [4], num_groups 2: the weight is not one number per channel
  lstm(s);  // says: lstm: [batch, 7, 5] x [...] x [...] x [24, 4] x [24, 6]: in_features differ
  gru(s);  // says: gru: [batch, 7, 5] x [...] x [18, 4] x [18, 6]: in_features differ
  rnn(x);  // says: rnn_tanh: [batch, 5] x [...] x [6, 4] x [6, 6]: no rule for these ranks
  attention(s);  // says: linear: [batch, 7, 5] x [12, 4] x [12]: in_features differ
  layer(s);  // says: linear: [batch, 7, 5] x [12, 4] x [12]: in_features differ
#endif
}
