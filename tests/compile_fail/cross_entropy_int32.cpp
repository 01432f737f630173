// SPDX-License-Identifier: MIT
// cross_entropy: labels must be int64, as in LibTorch.
// sentence: cross_entropy: [batch, 10] x int32[batch]: the labels are not int64
// reason: labels_are_not_integers
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 10> x{"x"};
  input<int64, batch> label{"label"};
  input<int32, batch> wrong{"wrong"};
#ifdef MISTAKE
  auto loss = cross_entropy(x, wrong);
#else
  auto loss = cross_entropy(x, label);
#endif
}
