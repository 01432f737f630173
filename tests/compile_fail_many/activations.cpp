// SPDX-License-Identifier: MIT
// Activations and their pull-backs.
#include <koila/ops.hpp>

// clang-format off: a mistake and its sentence stand on one line

using namespace koila;
using namespace koila::internal;

int main() {
  input<batch, 7> x{"x"};
  input<batch, 5> y{"y"};
  input<int64, batch, 7> n{"n"};
  input<boolean, batch, 7> b{"b"};
  input<> scalar{"scalar"};
#ifdef MISTAKE
  celu(x, 0_c);  // says: celu: [batch, 7]: a size is out of range
  celu(n);  // says: celu: int64[batch, 7]: not a floating-point dtype
  elu(n);  // says: elu: int64[batch, 7]: not a floating-point dtype
  elu_backward(x, y);  // says: elu_backward: [batch, 7] x [batch, 5]: not broadcastable
  gelu(n);  // says: gelu: int64[batch, 7]: not a floating-point dtype
  gelu(x, approximate = kSum);  // says: gelu: [batch, 7]: the choice is none of the op's
  glu(n);  // says: glu: int64[batch, 7], dim -1: not a floating-point dtype
  glu(scalar);  // says: glu: [], dim -1: no rule for these ranks
  glu(x);  // says: glu: [batch, 7], dim -1: the dim is not divisible by it
  glu(x, dim = 2_c);  // says: glu: [batch, 7], dim 2: dimension out of range
  gelu_backward(x, y);  // says: gelu_backward: [batch, 7] x [batch, 5]: not broadcastable
  hardshrink(n);  // says: hardshrink: int64[batch, 7]: not a floating-point dtype
  hardsigmoid(n);  // says: hardsigmoid: int64[batch, 7]: not a floating-point dtype
  hardsigmoid_backward(x, y);  // says: hardsigmoid_backward: [batch, 7] x [batch, 5]: not broadcastable
  hardswish(n);  // says: hardswish: int64[batch, 7]: not a floating-point dtype
  hardswish_backward(x, y);  // says: hardswish_backward: [batch, 7] x [batch, 5]: not broadcastable
  hardtanh(b);  // says: hardtanh: bool[batch, 7]: no rule for booleans
  hardtanh_backward(x, y);  // says: hardtanh_backward: [batch, 7] x [batch, 5]: not broadcastable
  leaky_relu(n);  // says: leaky_relu: int64[batch, 7]: not a floating-point dtype
  leaky_relu_backward(x, y);  // says: leaky_relu_backward: [batch, 7] x [batch, 5]: not broadcastable
  log_softmax(x);  // says: log_softmax: [batch, 7]: no dim is given
  log_softmax(x, dim = 2_c);  // says: log_softmax: [batch, 7], dim 2: dimension out of range
  log_softmax_backward(x, y, dim = 1_c);  // says: log_softmax_backward: [batch, 7] x [batch, 5], dim 1: shapes differ
  logit_backward(x, y);  // says: logit_backward: [batch, 7] x [batch, 5]: not broadcastable
  logsigmoid(n);  // says: logsigmoid: int64[batch, 7]: not a floating-point dtype
  mish(n);  // says: mish: int64[batch, 7]: not a floating-point dtype
  relu(b);  // says: relu: bool[batch, 7]: no rule for booleans
  relu6(b);  // says: relu6: bool[batch, 7]: no rule for booleans
  relu_backward(x, y);  // says: relu_backward: [batch, 7] x [batch, 5]: not broadcastable
  selu(n);  // says: selu: int64[batch, 7]: not a floating-point dtype
  shrink_backward(x, y);  // says: shrink_backward: [batch, 7] x [batch, 5]: not broadcastable
  sigmoid_backward(x, y);  // says: sigmoid_backward: [batch, 7] x [batch, 5]: not broadcastable
  silu(n);  // says: silu: int64[batch, 7]: not a floating-point dtype
  softmax(n, dim = 1_c);  // says: softmax: int64[batch, 7], dim 1: not a floating-point dtype
  softmax(x, dim = -3_c);  // says: softmax: [batch, 7], dim -3: dimension out of range
  softmax_backward(x, y, dim = 1_c);  // says: softmax_backward: [batch, 7] x [batch, 5], dim 1: shapes differ
  softmin(x);  // says: softmin: [batch, 7]: no dim is given
  softmin(n, dim = 1_c);  // says: softmin: int64[batch, 7], dim 1: not a floating-point dtype
  softplus(n);  // says: softplus: int64[batch, 7]: not a floating-point dtype
  softplus_backward(x, y);  // says: softplus_backward: [batch, 7] x [batch, 5]: not broadcastable
  softshrink(n);  // says: softshrink: int64[batch, 7]: not a floating-point dtype
  softshrink(x, -1_c);  // says: softshrink: [batch, 7]: a size is out of range
  softsign(b);  // says: softsign: bool[batch, 7]: no rule for booleans
  tanh_backward(x, y);  // says: tanh_backward: [batch, 7] x [batch, 5]: not broadcastable
  tanhshrink(x, kernel_size = 1_c);  // says: tanhshrink: [batch, 7]: the op has no such attribute
  threshold(b, 1_c, 2_c);  // says: threshold: bool[batch, 7]: no rule for booleans
  threshold_backward(x, y);  // says: threshold_backward: [batch, 7] x [batch, 5]: not broadcastable
  prelu(n, x);  // says: prelu: int64[batch, 7] x [batch, 7]: not a floating-point dtype
  prelu(x, y);  // says: prelu: [batch, 7] x [batch, 5]: the weight is not one number per channel
  prelu(x, input<5>("w"));  // says: prelu: [batch, 7] x [5]: the weight is not one number per channel
#endif
}
