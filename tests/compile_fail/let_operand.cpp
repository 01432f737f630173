// SPDX-License-Identifier: MIT
// An operand named with `let` gets the same error message as any other operand.
// sentence: linear: [batch, 512] x [10, 256]: in_features differ
// reason: in_features_differ
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 784> x{"x"};
  parameter<512, 784> w1{"w1"};
  parameter<10, 512> w2{"w2"};
  parameter<10, 256> wrong{"wrong"};
  auto h = let(relu(linear(x, w1)));
#ifdef MISTAKE
  auto y = linear(h, wrong) + sum(h);
#else
  auto y = linear(h, w2) + sum(h);
#endif
}
