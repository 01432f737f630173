// SPDX-License-Identifier: MIT
// linear: the bias must have one dim.
// sentence: linear: [batch, 784] x [512, 784] x [1, 512]: the bias is not (out_features)
// reason: bias_is_not_out_features
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 784> x{"x"};
  parameter<512, 784> w{"w"};
  parameter<1, 512> b{"b"};
#ifdef MISTAKE
  auto y = linear(x, w, b);
#else
  auto y = linear(x, w) + b;
#endif
}
