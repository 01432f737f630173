// SPDX-License-Identifier: MIT
// linear: the weight must be (out_features, in_features), as in LibTorch.
// sentence: linear: [batch, 784] x [784, 512]: in_features differ
// reason: in_features_differ
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 784> x{"x"};
  parameter<784, 512> w{"w"};
#ifdef MISTAKE
  auto y = linear(x, w);
#else
  auto y = linear(x, transpose(w, 0_c, 1_c));
#endif
}
