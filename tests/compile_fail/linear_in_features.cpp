// SPDX-License-Identifier: MIT
// linear: the last dim of the input must be the weight's in_features.
// sentence: linear: [batch, 784] x [512, 785]: in_features differ
// reason: in_features_differ
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 784> x{"x"};
  parameter<512, 784> w{"w"};
  parameter<512, 785> wrong{"wrong"};
#ifdef MISTAKE
  auto y = linear(x, wrong);
#else
  auto y = linear(x, w);
#endif
}
