// SPDX-License-Identifier: MIT
// cross_entropy: labels of the scores' shape are probabilities and must be floating-point.
// sentence: cross_entropy: [batch, 10] x int64[batch, 10]: the labels are not one per sample
// reason: labels_are_not_one_per_sample
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 10> x{"x"};
  input<int64, batch> label{"label"};
  input<int64, batch, 10> one_hot{"one_hot"};
#ifdef MISTAKE
  auto loss = cross_entropy(x, one_hot);
#else
  auto loss = cross_entropy(x, label);
#endif
}
