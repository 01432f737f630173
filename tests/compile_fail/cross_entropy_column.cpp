// SPDX-License-Identifier: MIT
// cross_entropy: the labels must have one dim less than the scores.
// sentence: cross_entropy: [batch, 10] x int64[batch, 1]: the labels are not one per sample
// reason: labels_are_not_one_per_sample
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 10> x{"x"};
  input<int64, batch, 1> label{"label"};
#ifdef MISTAKE
  auto loss = cross_entropy(x, label);
#else
  auto loss = cross_entropy(x, reshape(label, batch));
#endif
}
