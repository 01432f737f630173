// SPDX-License-Identifier: MIT
// Normalisation and regularisation.
#include <koila/ops.hpp>

// clang-format off: a mistake and its sentence stand on one line

using namespace koila;
using namespace koila::internal;

int main() {
  input<batch, 6, 8> x{"x"};
  input<int64, batch, 6, 8> n{"n"};
  input<batch> line{"line"};
  input<5> five{"five"};
  input<6> six{"six"};
  input<float64, 6> wide{"wide"};
#ifdef MISTAKE
  alpha_dropout(n);  // says: alpha_dropout: int64[batch, 6, 8]: not a floating-point dtype
  alpha_dropout(x, ops::p = 2_c);  // says: alpha_dropout: [batch, 6, 8]: the probability is not in [0, 1]
  batch_norm(n);  // says: batch_norm: int64[batch, 6, 8]: not a floating-point dtype
  batch_norm(line);  // says: batch_norm: [batch]: no rule for these ranks
  batch_norm(x, five, five);  // says: batch_norm: [batch, 6, 8] x [5] x [5]: the weight is not one number per channel
  batch_norm(x, six, wide);  // says: batch_norm: [batch, 6, 8] x [6] x float64[6]: dtypes differ
  batch_norm(x, six, six, five, six);  // says: batch_norm: [batch, 6, 8] x [6] x [6] x [5] x [6]: the weight is not one number per channel
  dropout1d(line);  // says: dropout1d: [batch]: no rule for these ranks
  dropout1d(x, ops::p = -1_c);  // says: dropout1d: [batch, 6, 8]: the probability is not in [0, 1]
  dropout2d(line);  // says: dropout2d: [batch]: no rule for these ranks
  dropout3d(x);  // says: dropout3d: [batch, 6, 8]: no rule for these ranks
  feature_alpha_dropout(n);  // says: feature_alpha_dropout: int64[batch, 6, 8]: not a floating-point dtype
  local_response_norm(x, 0_c);  // says: local_response_norm: [batch, 6, 8], size 0: a size is out of range
  group_norm(x, 4_c);  // says: group_norm: [batch, 6, 8], num_groups 4: the channels are not divisible by the groups
  group_norm(x, 0_c);  // says: group_norm: [batch, 6, 8], num_groups 0: a size is out of range
  group_norm(x, five, five, 2_c);  // says: group_norm: [batch, 6, 8] x [5] x [5], num_groups 2: the weight is not one number per channel
  instance_norm(line);  // says: instance_norm: [batch]: no rule for these ranks
  instance_norm(x, five, five);  // says: instance_norm: [batch, 6, 8] x [5] x [5]: the weight is not one number per channel
  layer_norm(x, 7_c);  // says: layer_norm: [batch, 6, 8], normalized_shape 7: the last dims are not those of the weight
  layer_norm(x);  // says: layer_norm: [batch, 6, 8]: no dim is given
  layer_norm(x, five);  // says: layer_norm: [batch, 6, 8] x [5]: the last dims are not those of the weight
  layer_norm(n, 8_c);  // says: layer_norm: int64[batch, 6, 8], normalized_shape 8: not a floating-point dtype
  native_layer_norm(x, five, five);  // says: native_layer_norm: [batch, 6, 8] x [5] x [5]: the last dims are not those of the weight
  native_layer_norm_backward(x, x, five);  // says: native_layer_norm_backward: [batch, 6, 8] x [batch, 6, 8] x [5]: the last dims are not those of the weight
  native_layer_norm_parameters_backward(x, x, five);  // says: native_layer_norm_parameters_backward: [batch, 6, 8] x [batch, 6, 8] x [5]: the last dims are not those of the weight
  rms_norm(x, 7_c);  // says: rms_norm: [batch, 6, 8], normalized_shape 7: the last dims are not those of the weight
  rms_norm(x, five);  // says: rms_norm: [batch, 6, 8] x [5]: the last dims are not those of the weight
  rms_norm(x);  // says: rms_norm: [batch, 6, 8]: no dim is given
#endif
}
