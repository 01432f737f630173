// SPDX-License-Identifier: MIT
// operator+ with two nested expressions as operands.
// sentence: add: [batch, 512] x [batch, 256]: not broadcastable
// reason: not_broadcastable
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 784> x{"x"};
  parameter<512, 784> w1{"w1"};
  parameter<256, 784> w2{"w2"};
  auto h = relu(linear(x, w1));
  auto g = sigmoid(linear(x, w2) * 2 - 1);
#ifdef MISTAKE
  auto y = relu(exp(-h) * 3 + g);
#else
  auto y = relu(exp(-h) * 3 + h);
#endif
}
