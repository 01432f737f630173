// SPDX-License-Identifier: MIT
// nll needs one label for each sample.
// sentence: nll: [10] x int64[batch]: the labels are not one per sample
// reason: labels_are_not_one_per_sample
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;
using namespace koila::internal;

int main() {
  input<10> x{"x"};
  input<int64, batch> label{"label"};
  input<int64> one{"one"};
#ifdef MISTAKE
  auto loss = nll(x, label);
#else
  auto loss = nll(x, one);
#endif
}
