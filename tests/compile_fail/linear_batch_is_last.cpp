// SPDX-License-Identifier: MIT
// linear: the axis `batch` cannot be in_features, whatever size is bound.
// sentence: linear: [784, batch] x [512, 784]: in_features differ
// reason: in_features_differ
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<784, batch> x{"x"};
  parameter<512, 784> w{"w"};
#ifdef MISTAKE
  auto y = linear(x, w);
#else
  auto y = linear(transpose(x, 0_c, 1_c), w);
#endif
}
