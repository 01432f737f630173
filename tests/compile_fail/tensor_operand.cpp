// SPDX-License-Identifier: MIT
// The shape of a plain tensor is known only at run time. The compiler checks the other operands.
// sentence: add: [batch, 512] x [10]: not broadcastable
// reason: not_broadcastable
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

auto f(const at::Tensor& t, const input<batch, 512>& x, const parameter<10>& b) {
#ifdef MISTAKE
  return t * (x + b);
#else
  return t * x + b;
#endif
}
