// SPDX-License-Identifier: MIT
// linear: the bias must have out_features elements.
// sentence: linear: [batch, 784] x [512, 784] x [784]: the bias is not (out_features)
// reason: bias_is_not_out_features
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 784> x{"x"};
  parameter<512, 784> w{"w"};
  parameter<512> b{"b"};
  parameter<784> wrong{"wrong"};
#ifdef MISTAKE
  auto y = linear(x, w, wrong);
#else
  auto y = linear(x, w, b);
#endif
}
